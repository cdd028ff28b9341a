import Database

/// The tables of the service in every partition's store.
///
/// - In the buyer's partition, or beside the claim of its one verified transaction: `submission`, with the proof; the
///   certificates of a genuine one are stored once in `certificate_chain`; `submission_part` has the parts of long ones
///   that are not sent yet.
/// - In the partition of the original transaction id: `claim`, with when to check for a renewal, `claim_waiter`,
///   `purchase_alias`, `transfer` with each move to another login, and `renewal` with what Apple says of a chain's next
///   one; `found_transaction` has what reconciliations found; `consumption_request` has Apple's questions what was used
///   of a purchase; those that expired have no `due_at`; `account_search` has searches for an account's buyers that go
///   on.
/// - In the partition of a purchase: `account_buyer`, who has bought with an Apple Account.
/// - In the partition of its id: `notification`.
/// - In the partition of an order of Apple's: `apple_order`, what Apple says of it once an operator has asked (for 30
///   days, if it names no transaction), `apple_order_transaction`, which of them has a transaction, and
///   `apple_order_proposal`, the compensations that stand on it.
/// - In any: `apple_query` and `history_cursor` have the questions to Apple; `reconciliation` has the jobs whose next
///   app is `bundle_id`, which is null once Apple was asked for everything.
/// - The tables of names: `ReceiptsSchema+Names.swift`.
enum ReceiptsSchema {
    static let schema = Schema(
        "receipts",
        [Migration(1, submissions + claims + names + notifications + apple)]
    )

    /// False, and not null, where Apple was not asked: a constraint takes null for true.
    private static let isAppleAwaited =
        "(evidence IS NOT NULL AND \(isOneOf("evidence", ["awaited", "pressed", "overdue"])))"

    private static let submissions = [
        """
        CREATE TABLE submission (
          receipt_id TEXT NOT NULL PRIMARY KEY,
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          order_hint TEXT,
          restores_until INTEGER,
          purchased_by TEXT CONSTRAINT purchased_by_another CHECK (purchased_by <> buyer_id),
          kind TEXT NOT NULL,
          proof BLOB NOT NULL,
          is_decoded INTEGER NOT NULL CONSTRAINT is_decoded_is_a_flag CHECK (is_decoded IN (0, 1)),
          chain_id BLOB,
          chain_at INTEGER,
          digest BLOB,
          size INTEGER NOT NULL CONSTRAINT size_counts CHECK (size >= 0),
          device_id TEXT,
          state TEXT NOT NULL
            CONSTRAINT known_state CHECK (\(isOneOf("state", ["verified", "pending", "parked", "invalid"]))),
          reason TEXT,
          application_version TEXT,
          transaction_ids TEXT NOT NULL,
          request_id TEXT NOT NULL,
          requested_at INTEGER NOT NULL,
          judged_at INTEGER NOT NULL,
          findings TEXT,
          CONSTRAINT reason_unless_verified CHECK ((state = 'verified') = (reason IS NULL)),
          CONSTRAINT place_of_chain CHECK ((chain_id IS NULL) = (chain_at IS NULL)),
          CONSTRAINT text_or_digest CHECK (digest IS NULL OR LENGTH(proof) = 0)
        ) STRICT
        """,
        "CREATE INDEX submission_parked ON submission (receipt_id, judged_at, state) WHERE state = 'parked'",
        "CREATE INDEX submission_parked_since ON submission (judged_at, receipt_id, state) WHERE state = 'parked'",
        "CREATE INDEX submission_of_buyer ON submission (bundle_id, buyer_id, state, size)",
        "CREATE INDEX submission_invalid ON submission (judged_at) WHERE state = 'invalid'",
        "CREATE INDEX submission_text ON submission (judged_at) WHERE state = 'verified' AND digest IS NULL",
        "CREATE TABLE certificate_chain (chain_id BLOB NOT NULL PRIMARY KEY, chain BLOB NOT NULL) STRICT",
        """
        CREATE TABLE submission_part (
          number INTEGER NOT NULL PRIMARY KEY,
          receipt_id TEXT NOT NULL,
          turn INTEGER NOT NULL CONSTRAINT turn_counts CHECK (turn >= 0),
          cause_id TEXT,
          content TEXT NOT NULL
        ) STRICT
        """,
        "CREATE UNIQUE INDEX submission_part_turn ON submission_part (receipt_id, turn)",
    ]

    private static let claims = [
        """
        CREATE TABLE claim (
          purchase_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          purchased_at INTEGER NOT NULL,
          signed_date INTEGER NOT NULL,
          revoked INTEGER NOT NULL CONSTRAINT revoked_is_a_flag CHECK (revoked IN (0, 1)),
          whole INTEGER NOT NULL CONSTRAINT whole_is_a_flag CHECK (whole IN (0, 1)),
          period INTEGER NOT NULL CONSTRAINT period_is_a_flag CHECK (period IN (0, 1)),
          shared INTEGER NOT NULL CONSTRAINT shared_is_a_flag CHECK (shared IN (0, 1)),
          assigned INTEGER NOT NULL CONSTRAINT assigned_is_shared CHECK (assigned IN (0, shared)),
          token TEXT,
          token_weighed INTEGER NOT NULL CONSTRAINT weighed_is_a_flag CHECK (token_weighed IN (0, 1)),
          evidence TEXT
            CONSTRAINT evidence_state CHECK (\(isOneOf("evidence", ["awaited", "pressed", "overdue", "complete"]))),
          evidence_due_at INTEGER,
          signed_transaction TEXT NOT NULL,
          state TEXT NOT NULL CONSTRAINT known_state CHECK (
            \(isOneOf("state", ["waiting", "proposed", "held", "orphan"]))
          ),
          since INTEGER NOT NULL,
          attempt INTEGER NOT NULL CONSTRAINT attempt_counts CHECK (attempt >= 0),
          challenge TEXT,
          claimants TEXT,
          handed_in INTEGER NOT NULL CONSTRAINT handed_in_is_a_flag CHECK (handed_in IN (0, 1)),
          candidate_kind TEXT,
          candidate TEXT,
          has_unsent_facts INTEGER NOT NULL CONSTRAINT unsent_is_a_flag CHECK (has_unsent_facts IN (0, 1)),
          has_waiters INTEGER NOT NULL CONSTRAINT waiters_is_a_flag CHECK (has_waiters IN (0, 1)),
          proposer_receipt_id TEXT,
          proposer_id TEXT,
          proposer_hint TEXT,
          proposer_transaction_id TEXT,
          proposer_intent TEXT,
          proposer_for_another INTEGER
            CONSTRAINT proposer_for_another_is_a_flag CHECK (proposer_for_another IN (0, 1)),
          buyer_id TEXT,
          order_id TEXT,
          transfers INTEGER NOT NULL DEFAULT 0,
          payer_id TEXT,
          transfer_to TEXT,
          transfer_cause TEXT
            CONSTRAINT cause_is_known CHECK (\(isOneOf("transfer_cause", ["restore", "evidence", "reassign"]))),
          transferred_at INTEGER,
          verified_at INTEGER NOT NULL,
          verified_event_id TEXT NOT NULL,
          verified_cause_id TEXT,
          answered_at INTEGER,
          answered_event_id TEXT,
          answered_cause_id TEXT,
          held_by TEXT CONSTRAINT evidence_is_known CHECK (
            \(isOneOf("held_by", ["token", "registered", "order", "holder", "caller", "reassigned", "known"]))
          ),
          renewal_check_stage TEXT
            CONSTRAINT known_renewal_check_stage
              CHECK (\(isOneOf("renewal_check_stage", ["first", "repeated", "over"]))),
          renewal_check_at INTEGER,
          PRIMARY KEY (purchase_id, bundle_id, environment),
          CONSTRAINT candidate_while_proposed CHECK (
            (state = 'proposed') = (candidate IS NOT NULL) AND (candidate IS NULL) = (candidate_kind IS NULL)
          ),
          CONSTRAINT holder_once_held CHECK (
            (state = 'held') = (buyer_id IS NOT NULL) AND (buyer_id IS NULL) = (order_id IS NULL)
          ),
          CONSTRAINT challenged_while_held CHECK (state = 'held' OR challenge IS NULL),
          CONSTRAINT evidence_once_held CHECK ((state = 'held') = (held_by IS NOT NULL)),
          CONSTRAINT waiters_while_asked CHECK (
            has_waiters = 0 OR \(isOneOf("state", ["waiting", "proposed", "orphan"])) OR transfer_to IS NOT NULL
              OR challenge IS NOT NULL OR claimants IS NOT NULL OR \(isAppleAwaited)
          ),
          CONSTRAINT due_while_asked CHECK (evidence_due_at IS NULL OR \(isAppleAwaited)),
          CONSTRAINT deadline_while_awaited CHECK (
            evidence NOT IN ('awaited', 'pressed') OR evidence_due_at IS NOT NULL
          ),
          CONSTRAINT payer_once_transferred CHECK ((state = 'held' AND transfers > 0) = (payer_id IS NOT NULL)),
          CONSTRAINT taken_back_until_held CHECK (state = 'held' OR (transfers = 0) = (transfer_to IS NULL)),
          CONSTRAINT renewal_check_has_its_stage CHECK ((renewal_check_stage IS NULL) = (renewal_check_at IS NULL))
        ) STRICT
        """,
        """
        CREATE INDEX claim_chain ON claim (original_transaction_id, purchased_at)
        WHERE purchase_id <> original_transaction_id
        """,
        """
        CREATE INDEX claim_orphan ON claim (purchase_id, bundle_id, environment, since, shared, state)
        WHERE state = 'orphan'
        """,
        """
        CREATE INDEX claim_orphan_since ON claim (since, purchase_id, bundle_id, environment, shared, state)
        WHERE state = 'orphan' AND shared = 0
        """,
        """
        CREATE INDEX claim_contested ON claim (since, purchase_id, bundle_id, environment, state, revoked)
        WHERE claimants IS NOT NULL AND state = 'held'
        """,
        """
        CREATE INDEX claim_waiting ON claim (evidence_due_at, since, purchase_id, bundle_id, environment, state)
        WHERE state = 'waiting'
        """,
        """
        CREATE INDEX claim_waiting_since ON claim (since, purchase_id, bundle_id, environment, state)
        WHERE state = 'waiting'
        """,
        "CREATE INDEX claim_waited_for ON claim (since) WHERE state = 'held' AND has_waiters = 1 AND whole = 0",
        """
        CREATE INDEX claim_renewal_check ON claim (bundle_id, renewal_check_stage, renewal_check_at)
        WHERE renewal_check_stage IS NOT NULL
        """,
        """
        CREATE INDEX claim_renewal_check_chain ON claim (original_transaction_id, purchased_at)
        WHERE renewal_check_at IS NOT NULL
        """,
        """
        CREATE TABLE renewal (
          original_transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          signed_date INTEGER NOT NULL,
          document TEXT NOT NULL,
          PRIMARY KEY (original_transaction_id, bundle_id, environment)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE purchase_alias (
          name TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          PRIMARY KEY (name, bundle_id, environment),
          CONSTRAINT alias_is_another_name CHECK (name <> purchase_id)
        ) STRICT
        """,
        "CREATE INDEX purchase_alias_names ON purchase_alias (purchase_id)",
        """
        CREATE TABLE account_buyer (
          account TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          PRIMARY KEY (account, bundle_id, environment, buyer_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE claim_waiter (
          purchase_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          receipt_id TEXT NOT NULL,
          transaction_id TEXT NOT NULL,
          submitter_id TEXT NOT NULL,
          order_hint TEXT,
          intent TEXT,
          for_another INTEGER CONSTRAINT for_another_is_a_flag CHECK (for_another IN (0, 1)),
          since INTEGER NOT NULL,
          PRIMARY KEY (purchase_id, bundle_id, environment, receipt_id, transaction_id)
        ) STRICT
        """,
        """
        CREATE TABLE transfer (
          purchase_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          transfer INTEGER NOT NULL CONSTRAINT transfer_counts CHECK (transfer > 0),
          from_id TEXT NOT NULL,
          to_id TEXT NOT NULL,
          cause TEXT NOT NULL CONSTRAINT cause_of_step CHECK (\(isOneOf("cause", ["restore", "evidence", "reassign"]))),
          order_id TEXT,
          payer_id TEXT,
          moved_at INTEGER NOT NULL,
          PRIMARY KEY (purchase_id, bundle_id, environment, transfer)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE reassignment_proposal (
          proposal_id TEXT NOT NULL PRIMARY KEY,
          is_decided INTEGER NOT NULL CONSTRAINT decided_is_a_flag CHECK (is_decided IN (0, 1)),
          proposed_at INTEGER NOT NULL,
          document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE INDEX reassignment_proposed ON reassignment_proposal (proposed_at, proposal_id) WHERE is_decided = 0
        """,
        """
        CREATE TABLE found_transaction (
          reconciliation_id TEXT NOT NULL,
          name TEXT NOT NULL,
          content TEXT NOT NULL,
          found_at INTEGER NOT NULL,
          PRIMARY KEY (reconciliation_id, name)
        ) STRICT
        """,
        "CREATE INDEX found_transaction_age ON found_transaction (found_at)",
        """
        CREATE TABLE consumption_request (
          transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          asked_at INTEGER NOT NULL,
          due_at INTEGER,
          is_consented INTEGER NOT NULL CONSTRAINT consented_is_a_flag CHECK (is_consented IN (0, 1)),
          content TEXT NOT NULL,
          PRIMARY KEY (transaction_id, bundle_id, environment),
          CONSTRAINT due_unless_expired CHECK (due_at IS NOT NULL OR is_consented = 1)
        ) STRICT
        """,
        "CREATE INDEX consumption_request_due ON consumption_request (bundle_id, due_at, asked_at)",
        "CREATE INDEX consumption_request_purchase ON consumption_request (purchase_id)",
        """
        CREATE TABLE account_search (
          notification_uuid TEXT NOT NULL PRIMARY KEY,
          content TEXT NOT NULL
        ) STRICT
        """,
    ]

    private static let notifications = [
        """
        CREATE TABLE server_notification (
          notification_uuid TEXT NOT NULL PRIMARY KEY,
          type TEXT,
          kind TEXT,
          transaction_id TEXT,
          state TEXT NOT NULL CONSTRAINT known_server_notification_state CHECK (
            \(isOneOf("state", ["delivered", "noted", "parked"]))
          ),
          reason TEXT,
          signed_payload BLOB NOT NULL,
          deliveries INTEGER NOT NULL CONSTRAINT deliveries_count CHECK (deliveries > 0),
          request_id TEXT NOT NULL,
          delivered_at INTEGER NOT NULL,
          judged_at INTEGER NOT NULL,
          CONSTRAINT reason_while_parked CHECK ((state = 'parked') = (reason IS NOT NULL))
        ) STRICT
        """,
        """
        CREATE INDEX server_notification_parked ON server_notification (notification_uuid, judged_at, state)
        WHERE state = 'parked'
        """,
        """
        CREATE INDEX server_notification_parked_since ON server_notification (judged_at, notification_uuid, state)
        WHERE state = 'parked'
        """,
        "CREATE INDEX server_notification_unknown ON server_notification (notification_uuid) WHERE kind = 'unknown'",
        """
        CREATE INDEX server_notification_rescinded ON server_notification (notification_uuid)
        WHERE kind = 'consentRescinded'
        """,
        """
        CREATE INDEX server_notification_untransacted ON server_notification (notification_uuid)
          WHERE state = 'delivered' AND transaction_id IS NULL
        """,
        "CREATE INDEX server_notification_transaction ON server_notification (transaction_id)",
    ]

    private static let apple = [
        """
        CREATE TABLE apple_query (
          query_id TEXT NOT NULL PRIMARY KEY,
          bundle_id TEXT NOT NULL,
          api TEXT NOT NULL CONSTRAINT known_api CHECK (api IN ('serverAPI', 'verifyReceipt')),
          urgency INTEGER NOT NULL CONSTRAINT known_urgency CHECK (urgency BETWEEN 0 AND 3),
          asked_at INTEGER NOT NULL,
          due_at INTEGER NOT NULL,
          problem TEXT,
          content TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX apple_query_due ON apple_query (bundle_id, api, urgency, due_at, query_id)",
        """
        CREATE TABLE apple_order (
          apple_order_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          asked_at INTEGER NOT NULL,
          transaction_ids TEXT,
          purchase_ids TEXT,
          CONSTRAINT apple_order_once PRIMARY KEY (apple_order_id, bundle_id),
          CONSTRAINT apple_order_is_answered CHECK ((transaction_ids IS NULL) = (purchase_ids IS NULL))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX apple_order_unknown ON apple_order (asked_at) WHERE COALESCE(transaction_ids, '') = ''",
        """
        CREATE TABLE apple_order_transaction (
          transaction_id TEXT NOT NULL,
          apple_order_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          CONSTRAINT apple_order_transaction_once PRIMARY KEY (transaction_id, bundle_id, apple_order_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE apple_order_proposal (
          apple_order_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          proposal_id TEXT NOT NULL,
          CONSTRAINT apple_order_proposal_once PRIMARY KEY (apple_order_id, bundle_id, proposal_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE history_cursor (
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          content TEXT NOT NULL,
          PRIMARY KEY (bundle_id, environment)
        ) STRICT
        """,
        """
        CREATE TABLE reconciliation (
          reconciliation_id TEXT NOT NULL PRIMARY KEY,
          bundle_id TEXT,
          content TEXT NOT NULL,
          started_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX reconciliation_open ON reconciliation (bundle_id) WHERE bundle_id IS NOT NULL",
    ]
}
