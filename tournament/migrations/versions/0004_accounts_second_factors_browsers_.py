"""accounts, second factors, browsers, invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go on."""
    op.create_table(
        "bucket",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("full_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_bucket")),
    )
    with op.batch_alter_table("bucket", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bucket_full_at"), ["full_at"], unique=False)

    op.create_table(
        "browser",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("seen_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.name"], name=op.f("fk_browser_account")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_browser")),
    )
    with op.batch_alter_table("browser", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_browser_account"), ["account"], unique=False)

    op.create_table(
        "invitation",
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("invited_by", sa.String(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_invitation_event_id")),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_invitation")),
    )
    op.create_table(
        "known_network",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("network", sa.String(), nullable=False),
        sa.Column("last_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.name"], name=op.f("fk_known_network_account")),
        sa.PrimaryKeyConstraint("account", "network", name=op.f("pk_known_network")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.name"], name=op.f("fk_recovery_code_account")),
        sa.PrimaryKeyConstraint("account", "digest", name=op.f("pk_recovery_code")),
    )
    op.create_table(
        "second_factor",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("confirmed_at", sa.String(), nullable=True),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.name"], name=op.f("fk_second_factor_account")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_second_factor")),
    )
    op.create_table(
        "acceptance",
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("invitation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("accepted", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id", "invitation"],
            ["invitation.event_id", "invitation.number"],
            name=op.f("fk_acceptance_event_id_invitation"),
        ),
        sa.PrimaryKeyConstraint("event_id", "invitation", "account", name=op.f("pk_acceptance")),
    )
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(sa.Column("disabled_at", sa.String(), nullable=True))

    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.add_column(sa.Column("scopes", sa.String(), server_default="read staff account", nullable=False))
        batch_op.add_column(sa.Column("event", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("expires_at", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("last_used", sa.String(), nullable=True))

    # ### end Alembic commands ###


def downgrade() -> None:
    """Go back."""
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_column("last_used")
        batch_op.drop_column("expires_at")
        batch_op.drop_column("event")
        batch_op.drop_column("scopes")

    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.drop_column("disabled_at")

    op.drop_table("acceptance")
    op.drop_table("second_factor")
    op.drop_table("recovery_code")
    op.drop_table("known_network")
    op.drop_table("invitation")
    with op.batch_alter_table("browser", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_browser_account"))

    op.drop_table("browser")
    with op.batch_alter_table("bucket", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bucket_full_at"))

    op.drop_table("bucket")
    # ### end Alembic commands ###
