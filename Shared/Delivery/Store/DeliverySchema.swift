package import Database

/// The tables of every partition: what was sent, received, delayed and traced.
package enum DeliverySchema {
    package static let schema = Schema("delivery", [Migration(1, tables)])

    private static let isKnownAct = isOneOf(
        "kind",
        [
            "assigned", "reassigned", "moveProposed", "moveConfirmed", "moveWithdrawn", "moveVoided",
            "compensationProposed", "compensationConfirmed", "compensationReversed", "compensationWithdrawn",
            "compensationRestored", "compensationExpired", "compensationMatched", "compensationKept",
        ]
    )

    private static let tables = [
        """
        CREATE TABLE partition_owner (
          only INTEGER NOT NULL PRIMARY KEY CONSTRAINT one_row CHECK (only = 1),
          service TEXT NOT NULL,
          partition INTEGER NOT NULL,
          partitions INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          clean INTEGER NOT NULL CONSTRAINT clean_is_a_flag CHECK (clean IN (0, 1)),
          restored_at INTEGER,
          CONSTRAINT partition_is_one_of_them CHECK (partition >= 0 AND partition < partitions)
        ) STRICT
        """,
        """
        CREATE TABLE link_out (
          link INTEGER NOT NULL PRIMARY KEY,
          target TEXT NOT NULL UNIQUE,
          incarnation TEXT NOT NULL,
          settled INTEGER NOT NULL CONSTRAINT settled_counts CHECK (settled >= 0),
          settled_event_id TEXT,
          quarantine TEXT
        ) STRICT
        """,
        """
        CREATE TABLE link_redrive (
          link INTEGER NOT NULL PRIMARY KEY,
          request_id TEXT NOT NULL,
          after_key TEXT NOT NULL,
          row_count INTEGER NOT NULL CONSTRAINT rows_are_counted CHECK (row_count >= 0),
          started_at INTEGER NOT NULL,
          finished_at INTEGER,
          failure TEXT,
          CONSTRAINT finished_or_failed CHECK (finished_at IS NULL OR failure IS NULL)
        ) STRICT
        """,
        """
        CREATE TABLE outbox (
          position INTEGER NOT NULL PRIMARY KEY,
          event_id TEXT NOT NULL,
          time INTEGER NOT NULL,
          event BLOB NOT NULL CONSTRAINT event_fits CHECK (length(event) <= 163840)
        ) STRICT
        """,
        """
        CREATE TABLE link_in (
          source TEXT NOT NULL,
          incarnation TEXT NOT NULL,
          last INTEGER NOT NULL,
          last_event_id TEXT,
          PRIMARY KEY (source, incarnation)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE delayed_event (
          number INTEGER NOT NULL PRIMARY KEY,
          source TEXT NOT NULL,
          event_id TEXT NOT NULL,
          type TEXT NOT NULL,
          subject TEXT NOT NULL,
          event BLOB NOT NULL,
          attempts INTEGER NOT NULL,
          due INTEGER NOT NULL,
          reason TEXT NOT NULL,
          first_reason TEXT,
          time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX delayed_event_by_subject ON delayed_event (subject, number)",
        """
        CREATE TABLE dead_letter (
          letter_id TEXT NOT NULL PRIMARY KEY,
          source TEXT NOT NULL,
          event_id TEXT NOT NULL,
          type TEXT NOT NULL,
          subject TEXT NOT NULL,
          event BLOB NOT NULL,
          reason TEXT NOT NULL,
          first_reason TEXT,
          attempts INTEGER NOT NULL,
          unknown_type INTEGER NOT NULL,
          time INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE dead_letter_audit (
          number INTEGER NOT NULL PRIMARY KEY,
          time INTEGER NOT NULL,
          letter_id TEXT NOT NULL,
          event_id TEXT NOT NULL,
          type TEXT NOT NULL,
          action TEXT NOT NULL CONSTRAINT known_action CHECK (
            \(isOneOf("action", ["added", "retried", "discarded", "released"]))
          ),
          decided_by TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE act (
          number INTEGER NOT NULL PRIMARY KEY,
          time INTEGER NOT NULL,
          operator_id TEXT,
          kind TEXT NOT NULL,
          subject TEXT NOT NULL,
          proposal_id TEXT,
          person TEXT,
          reason TEXT,
          before TEXT NOT NULL,
          after TEXT NOT NULL,
          CONSTRAINT act_known_kind CHECK (\(isKnownAct))
        ) STRICT
        """,
        "CREATE INDEX act_subject ON act (subject)",
        "CREATE INDEX act_proposal ON act (proposal_id) WHERE proposal_id IS NOT NULL",
        "CREATE INDEX act_person ON act (person) WHERE person IS NOT NULL",
        "CREATE INDEX act_operator ON act (operator_id) WHERE operator_id IS NOT NULL",
        """
        CREATE TRIGGER act_never_changes BEFORE UPDATE ON act
        BEGIN SELECT RAISE(ABORT, 'the record of acts only grows'); END
        """,
        """
        CREATE TRIGGER act_never_goes BEFORE DELETE ON act
        BEGIN SELECT RAISE(ABORT, 'the record of acts only grows'); END
        """,
        """
        CREATE TABLE suspect (
          name TEXT NOT NULL PRIMARY KEY,
          deaths INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE parked_work (
          key TEXT NOT NULL PRIMARY KEY,
          reason TEXT NOT NULL,
          time INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE trace_entry (
          subject TEXT NOT NULL,
          number INTEGER NOT NULL,
          time INTEGER NOT NULL,
          type TEXT NOT NULL,
          event_id TEXT NOT NULL,
          causation_id TEXT,
          PRIMARY KEY (subject, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX trace_entry_by_event ON trace_entry (event_id)",
        "CREATE INDEX trace_entry_by_cause ON trace_entry (causation_id)",
    ]
}
