import Database

/// The tables of Notifications: the state of each submission, and the messages to the apps' own servers.
///
/// `verdict` has a row for each transaction of a submission, and one without a transaction for the submission itself:
/// its app with its version, the message that made it known, and a verdict where it has no transactions. They lie side
/// by side, because each purchase writes both, and a tree of their own for the latter would be another page in each
/// commit.
///
/// A webhook is `queued` while `due_at` and `delivered_at` are NULL; at most one of a subject's undelivered ones is
/// due. The subject is a buyer, or `account/` and an app transaction's id. A delivered one has no body. `answer` is
/// what the server answered last, if it was not taken: a status, or `no answer`. `webhook_due_since` has
/// the due ones in the order of the list of undelivered ones. It is `about` a purchase, or what its type says.
///
/// `webhook_copy` has what `counterfoil listen` reads in a test home, whether the app has a server or not: the newest
/// webhooks since somebody listened for the first time. Delivery knows nothing of it.
enum NotificationsSchema {
    static let schema = Schema("notifications", [Migration(1, tables)])

    private static let tables = [
        """
        CREATE TABLE verdict (
          receipt_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          transaction_id TEXT NOT NULL,
          bundle_id TEXT,
          submitter_id TEXT,
          position INTEGER,
          original_transaction_id TEXT,
          product_id TEXT,
          quantity INTEGER,
          order_id TEXT,
          verdict TEXT,
          granted_at INTEGER,
          reason TEXT,
          application_version TEXT,
          transfers INTEGER CONSTRAINT verdict_transfers_count CHECK (transfers >= 0),
          changed_at INTEGER NOT NULL,
          event_type TEXT,
          event_id TEXT NOT NULL,
          causation_id TEXT,
          CONSTRAINT verdict_one_per_transaction PRIMARY KEY (receipt_id, environment, transaction_id),
          CONSTRAINT verdict_granted_since CHECK (granted_at IS NULL OR verdict = 'granted'),
          CONSTRAINT verdict_on_the_submission CHECK (
            transaction_id <> '' OR (environment = '' AND bundle_id IS NOT NULL AND original_transaction_id IS NULL)
          ),
          CONSTRAINT verdict_on_a_transaction CHECK (
            transaction_id = '' OR (
              submitter_id IS NOT NULL AND position IS NOT NULL AND original_transaction_id IS NOT NULL
              AND product_id IS NOT NULL AND quantity IS NOT NULL AND verdict IS NOT NULL AND transfers IS NOT NULL
              AND event_type IS NOT NULL
            )
          )
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
          traceparent TEXT,
          body TEXT NOT NULL,
          attempts INTEGER NOT NULL,
          answer TEXT,
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
        "CREATE INDEX webhook_due_since ON webhook (created_at, event_id) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE webhook_listening (
          listening INTEGER PRIMARY KEY,
          CONSTRAINT webhook_listening_once CHECK (listening = 1)
        ) STRICT
        """,
        """
        CREATE TABLE webhook_copy (
          position INTEGER PRIMARY KEY,
          about TEXT NOT NULL,
          change_id TEXT NOT NULL,
          event_type TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          event_id TEXT NOT NULL,
          traceparent TEXT,
          body TEXT NOT NULL,
          CONSTRAINT webhook_copy_one_per_change UNIQUE (about, change_id)
        ) STRICT
        """,
    ]
}
