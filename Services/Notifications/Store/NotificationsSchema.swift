import Database

/// The tables of Notifications: the state of each submission, and the messages to the apps' own servers.
///
/// A webhook is `queued` while `due_at` and `delivered_at` are NULL; at most one of a subject's undelivered ones is due.
/// The subject is a buyer, or `account/` and an app transaction's id.
/// A delivered one has no body. It is `about` a purchase, or what its type says.
enum NotificationsSchema {
    static let schema = Schema("notifications", [Migration(1, tables)])

    private static let tables = [
        """
        CREATE TABLE receipt (
          receipt_id TEXT NOT NULL CONSTRAINT receipt_known_once PRIMARY KEY,
          bundle_id TEXT NOT NULL,
          verdict TEXT,
          reason TEXT,
          changed_at INTEGER NOT NULL,
          event_id TEXT NOT NULL,
          causation_id TEXT
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE verdict (
          receipt_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          transaction_id TEXT NOT NULL,
          submitter_id TEXT NOT NULL,
          position INTEGER NOT NULL,
          original_transaction_id TEXT NOT NULL,
          product_id TEXT NOT NULL,
          quantity INTEGER NOT NULL,
          order_id TEXT,
          verdict TEXT NOT NULL,
          granted_at INTEGER,
          reason TEXT,
          transfers INTEGER NOT NULL CONSTRAINT verdict_transfers_count CHECK (transfers >= 0),
          changed_at INTEGER NOT NULL,
          event_type TEXT NOT NULL,
          event_id TEXT NOT NULL,
          causation_id TEXT,
          CONSTRAINT verdict_one_per_transaction PRIMARY KEY (receipt_id, environment, transaction_id),
          CONSTRAINT verdict_granted_since CHECK (granted_at IS NULL OR verdict = 'granted')
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX verdict_paid_order ON verdict (order_id) WHERE order_id IS NOT NULL",
        """
        CREATE TABLE webhook (
          about TEXT NOT NULL,
          change_id TEXT NOT NULL,
          event_type TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          subject TEXT NOT NULL,
          sequence INTEGER NOT NULL,
          event_id TEXT NOT NULL,
          causation_id TEXT,
          body TEXT NOT NULL,
          attempts INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          due_at INTEGER,
          delivered_at INTEGER,
          CONSTRAINT webhook_one_per_change PRIMARY KEY (about, change_id),
          CONSTRAINT webhook_delivered_is_not_due CHECK (due_at IS NULL OR delivered_at IS NULL),
          CONSTRAINT webhook_keeps_its_body CHECK ((delivered_at IS NULL) = (length(body) > 0))
        ) STRICT
        """,
        """
        CREATE UNIQUE INDEX webhook_undelivered ON webhook (bundle_id, subject, sequence)
        WHERE delivered_at IS NULL
        """,
        "CREATE INDEX webhook_due ON webhook (due_at) WHERE due_at IS NOT NULL",
    ]
}
