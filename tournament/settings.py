"""Settings: from the environment (`DECKPROOF_…`), else from a `deckproof.toml`, else as written here.

`read_settings` passes in the environment and the folder, so nothing is read at import. `deckproof settings` prints each
setting with where its value comes from; docs/guide/settings.md describes them.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from tournament.domain.errors import TournamentError
from tournament.errors import SecretMissing

PREFIX: Final = "DECKPROOF_"
CONFIG: Final = "DECKPROOF_CONFIG"
"""Names the settings file, if it is not `deckproof.toml` in the current folder."""
FILE_NAME: Final = "deckproof.toml"
MOST_BYTES: Final = 64 * 1024
"""Of a settings file."""
MOST_SECONDS: Final = 30 * 24 * 3600


DEVELOPMENT_SECRET: Final = "for development only, known to everybody"  # noqa: S105 - that is its point
SECRETS: Final = frozenset({"key", "secret", "database_url", "token"})
"""Settings whose values are never printed."""


class Environment(StrEnum):
    """Where the program runs."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


@dataclass(eq=False)
class SettingsUnreadable(TournamentError):
    """A setting is not what it should be."""

    faults: tuple[str, ...]
    """Every fault, with where it stands."""

    def __str__(self) -> str:
        return "\n".join(self.faults)


class Settings(BaseModel):
    """What can be set once instead of at each command. An option of a command always wins."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    rpc: tuple[str, ...] = Field(
        (), description="URLs of JSON-RPC endpoints, separated by spaces; all that answer must say the same"
    )
    quorum: int | None = Field(
        None, ge=1, description="how many endpoints must answer; more than half of them when not set"
    )
    collection: str | None = Field(None, description="address of the ERC-1155 card contract")
    chain_id: int | None = Field(
        None, ge=1, description="the chain that the collection is on; any, if the endpoints agree, when not set"
    )
    code_hash: str | None = Field(
        None,
        pattern="^0x[0-9a-f]{64}$",
        description="hash that the contract's code must have, as `verify` prints it; not compared when not set",
    )
    block: str = Field("latest", description="the block to verify at: a number, a hash, latest, safe or finalized")
    game: str = Field("cps", description="the game: cps, cgccg or audition")
    deadline: float = Field(
        30.0, gt=0, le=MOST_SECONDS, description="seconds for one question to an endpoint, retries included"
    )
    timeout: float = Field(10.0, gt=0, le=MOST_SECONDS, description="seconds for one attempt")
    stale_after: float = Field(
        3600.0, gt=0, le=MOST_SECONDS, description="seconds; a node whose latest block is older than this lags"
    )
    proofs: bool = Field(
        default=False,
        description="whether each epoch also keeps proofs of the balances that count, by eth_getProof; any of the "
        "endpoints that has them will do",
    )
    key: SecretStr | None = Field(
        None, description="private key that signs `chain deploy`, `publish` and `mint`; never printed"
    )
    anvil: str | None = Field(None, description="the Anvil program for a local chain; looked for when not set")
    data: Path = Field(Path(".deckproof"), description="the folder of the embedded database")
    database_url: SecretStr | None = Field(
        None,
        description="a PostgreSQL to use instead of the embedded database: postgresql://user:password@host/name",
    )
    environment: Environment = Field(
        Environment.DEVELOPMENT, description="development or production; the default secret is for development only"
    )
    secret: SecretStr = Field(
        SecretStr(DEVELOPMENT_SECRET),
        min_length=32,
        description="what codes are made from, and keys; 32 characters or more; never printed",
    )
    trusted_proxies: tuple[str, ...] = Field(
        (), description="addresses or networks of proxies whose X-Forwarded-For and -Proto are believed"
    )
    trusted_hosts: tuple[str, ...] = Field(
        (), description="names that the server is asked by, *.example.com for all below; any when not set"
    )
    rate_limits: bool = Field(
        default=True, description="whether sign-ins, codes and registrations are slowed down; off for load tests only"
    )
    server: str | None = Field(
        None,
        pattern="^https?://[^\\s/?#@]+(/[^\\s?#]*)?$",
        description="URL of the event service that `event`, `entry`, `round`, `staff` and `log` ask; where `login` was "
        "last, else this machine, when not set",
    )
    token: SecretStr | None = Field(
        None, description="token of your account at the server; the one from `login` when not set; never printed"
    )
    event: str | None = Field(
        None, description="id of the event that commands are about; the one from `event use` when not set"
    )
    streams: int = Field(2000, ge=1, le=100_000, description="most live streams that one process keeps open")
    streams_per_address: int = Field(
        1000, ge=1, le=100_000, description="most live streams of one address; a venue's phones often share one"
    )
    private_webhooks: bool = Field(
        default=False, description="whether webhooks may go to addresses of this machine and of private networks"
    )

    @field_validator("quorum", "chain_id", "deadline", "timeout", "stale_after", mode="before")
    @classmethod
    def _refuse_truth(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("it is a truth value, and a number is wanted")  # noqa: TRY004 - pydantic collects these
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            ip_network(network, strict=False)
        return value

    @field_validator("rpc", "trusted_proxies", "trusted_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


@dataclass(frozen=True)
class Found:
    """The settings, and where each that is not the default comes from."""

    settings: Settings
    sources: Mapping[str, str]
    """Setting to `DECKPROOF_RPC` or the name of a file."""


def read_settings(environment: Mapping[str, str], folder: Path) -> Found:
    """The settings in force.

    Raises:
        SettingsUnreadable: an unknown setting, a value that does not fit, or a file that cannot be read; every fault.
    """
    path = Path(environment[CONFIG]) if environment.get(CONFIG) else folder / FILE_NAME
    from_file = _from_file(path, required=bool(environment.get(CONFIG)))
    from_environment = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and name != CONFIG and value
    }
    sources = dict.fromkeys(from_file, path.name) | {name: PREFIX + name.upper() for name in from_environment}
    try:
        settings = Settings.model_validate(from_file | from_environment)
    except ValidationError as error:
        raise SettingsUnreadable(tuple(_fault(found, sources) for found in error.errors())) from error
    return Found(settings, sources)


def require_secret(settings: Settings) -> None:
    """Refuse to serve strangers with the secret that everybody knows.

    Raises:
        SecretMissing: outside development.
    """
    if settings.environment is not Environment.DEVELOPMENT and (
        settings.secret.get_secret_value() == DEVELOPMENT_SECRET
    ):
        raise SecretMissing(settings.environment.value)


def _from_file(path: Path, *, required: bool) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise SettingsUnreadable((f"{path}: longer than {MOST_BYTES} bytes, which no settings file is",))
        return tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError as error:
        if required:
            raise SettingsUnreadable((f"{path}: there is no such file; {CONFIG} names it",)) from error
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsUnreadable((f"{path}: not TOML in UTF-8 ({error})",)) from error
    except OSError as error:
        raise SettingsUnreadable((f"{path}: {error.strerror or error}",)) from error


def _fault(found: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    name = str(found["loc"][0]) if found["loc"] else ""
    where = sources.get(name, name)
    if found["type"] == "extra_forbidden":
        near = get_close_matches(name, Settings.model_fields, n=1)
        known = f"did you mean {near[0]}?" if near else f"the settings are {', '.join(Settings.model_fields)}"
        return f"{where}: there is no setting {name!r}; {known}"
    said = str(found["msg"])
    if found["type"] == "string_type":
        said += ", so it stands in quotes"
    value = "(secret)" if name in SECRETS else repr(found["input"])
    return f"{where}: {name} is {value}; {said[:1].lower()}{said[1:]}"
