import Database

enum OrdersSchema {
    static let schema = Schema("orders", [Migration(1, orders + steps + tokens)])

    private static let isKnownEvidence = isOneOf(
        "held_by",
        ["token", "registered", "order", "holder", "caller", "reassigned", "known"]
    )

    private static let isAwaited =
        "(payment IN ('issued', 'deferred') OR fulfilment = 'parked' OR lookup_at IS NOT NULL)"
    private static let isUngranted = "payment = 'paid' AND fulfilment = 'none'"

    private static let isKnownStep = isOneOf(
        "step",
        [
            "ordered", "asked", "paid", "pending", "cancelled", "failed", "kept", "notKept", "answered",
            "finished",
        ]
    )

    /// One row per order; the columns `…_event` and `…_cause` name the message that led to a step.
    ///
    /// `unpaid_as` is what a paid order was before, and is again once it loses its purchase. That one is remembered in
    /// the columns `released_…`, so that what is said of it late does nothing.
    private static let orders = [
        """
        CREATE TABLE orders (
            order_id TEXT NOT NULL PRIMARY KEY,
            bundle_id TEXT NOT NULL,
            buyer_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            environment TEXT NOT NULL,
            origin TEXT NOT NULL,
            reference TEXT,
            metadata TEXT,
            issued_by TEXT,
            idempotency_key TEXT,
            issued_at INTEGER NOT NULL,
            issue_event TEXT,
            payment TEXT NOT NULL,
            unpaid_as TEXT,
            close_reason TEXT,
            closed_at INTEGER,
            close_event TEXT,
            reported_at INTEGER,
            report_event TEXT,
            error_domain TEXT,
            error_code TEXT,
            unit_limit INTEGER,
            over_limit INTEGER NOT NULL DEFAULT 0,
            sandbox_of TEXT,
            holder_id TEXT,
            transfers INTEGER,
            purchase_id TEXT,
            transaction_id TEXT,
            late INTEGER NOT NULL DEFAULT 0,
            paid_at INTEGER,
            held_by TEXT,
            attempt INTEGER,
            claim_event TEXT,
            claim_cause TEXT,
            facts TEXT,
            signed_date INTEGER,
            revoked INTEGER,
            updated_at INTEGER,
            update_event TEXT,
            update_cause TEXT,
            fulfilment TEXT NOT NULL DEFAULT 'none',
            granted_at INTEGER,
            recorded_at INTEGER,
            record_event TEXT,
            record_cause TEXT,
            released_purchase_id TEXT,
            released_transaction_id TEXT,
            released_transfers INTEGER,
            lookups INTEGER NOT NULL DEFAULT 0,
            lookup_at INTEGER,
            CONSTRAINT origin_is_known CHECK (\(isOneOf("origin", ["phone", "server", "renewal", "spot"]))),
            CONSTRAINT placed_by_a_phone
                CHECK (origin = 'phone' OR (idempotency_key IS NULL AND payment <> 'deferred' AND payment <> 'closed')),
            CONSTRAINT issued_by_a_phone
                CHECK (issued_by IS NULL OR (issued_by = 'phone' AND origin = 'phone' AND reference IS NULL)),
            CONSTRAINT payment_is_known CHECK (\(isOneOf("payment", ["issued", "deferred", "closed", "paid", "void"]))),
            CONSTRAINT unpaid_as_is_known CHECK (\(isOneOf("unpaid_as", ["issued", "deferred", "closed", "void"]))),
            CONSTRAINT paid_was_unpaid CHECK ((payment = 'paid') = (unpaid_as IS NOT NULL)),
            CONSTRAINT void_if_not_placed CHECK ((unpaid_as = 'void') = (origin <> 'phone')),
            CONSTRAINT void_has_lost_its_purchase
                CHECK (payment <> 'void' OR (origin <> 'phone' AND released_purchase_id IS NOT NULL)),
            CONSTRAINT fulfilment_is_known CHECK (\(isOneOf("fulfilment", ["none", "granted", "reversed", "parked"]))),
            CONSTRAINT close_reason_is_known
                CHECK (\(isOneOf("close_reason", ["cancelled", "failed", "expired", "superseded"]))),
            CONSTRAINT closed_has_a_reason
                CHECK ((payment <> 'closed' AND unpaid_as IS NOT 'closed') OR close_reason IS NOT NULL),
            CONSTRAINT deferred_has_its_report
                CHECK ((payment <> 'deferred' AND unpaid_as IS NOT 'deferred') OR reported_at IS NOT NULL),
            CONSTRAINT paid_by_one_purchase CHECK (
                (payment = 'paid') = (purchase_id IS NOT NULL) AND (purchase_id IS NULL) = (transaction_id IS NULL)
            ),
            CONSTRAINT paid_has_its_facts
                CHECK (payment <> 'paid' OR (paid_at IS NOT NULL AND facts IS NOT NULL AND signed_date IS NOT NULL)),
            CONSTRAINT evidence_is_known CHECK (\(isKnownEvidence)),
            CONSTRAINT paid_has_its_evidence CHECK ((payment = 'paid') = (held_by IS NOT NULL)),
            CONSTRAINT late_after_a_closing CHECK (late = (unpaid_as IS 'closed')),
            CONSTRAINT limit_is_positive CHECK (unit_limit >= 1),
            CONSTRAINT over_limit_has_a_limit
                CHECK (over_limit = 0 OR (over_limit = 1 AND payment = 'paid' AND unit_limit IS NOT NULL)),
            CONSTRAINT sandbox_of_is_sandbox CHECK (sandbox_of IS NULL OR environment = 'Sandbox'),
            CONSTRAINT holder_by_a_transfer CHECK (
                (holder_id IS NULL) = (transfers IS NULL)
                AND (transfers IS NULL OR (transfers > 0 AND payment = 'paid'))
            ),
            CONSTRAINT released_by_a_transfer CHECK (
                (released_purchase_id IS NULL) = (released_transfers IS NULL)
                AND (released_purchase_id IS NULL) = (released_transaction_id IS NULL)
                AND released_transfers > 0 AND released_purchase_id <> purchase_id
            ),
            CONSTRAINT fulfilled_is_paid CHECK (fulfilment = 'none' OR payment = 'paid'),
            CONSTRAINT granted_has_its_time CHECK (fulfilment <> 'granted' OR granted_at IS NOT NULL),
            CONSTRAINT lookups_count CHECK (lookups >= 0),
            CONSTRAINT looked_up_is_unpaid
                CHECK (lookup_at IS NULL OR \(isOneOf("payment", ["issued", "deferred", "closed"])))
        ) STRICT
        """,
        """
        CREATE UNIQUE INDEX orders_by_idempotency_key ON orders (buyer_id, idempotency_key, bundle_id)
        WHERE idempotency_key IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX orders_by_reference ON orders (reference, bundle_id, buyer_id) WHERE reference IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX orders_by_purchase ON orders (purchase_id, bundle_id, environment)
        WHERE purchase_id IS NOT NULL
        """,
        """
        CREATE INDEX orders_by_transaction ON orders (transaction_id, bundle_id, environment)
        WHERE transaction_id <> purchase_id
        """,
        """
        CREATE INDEX orders_by_released_purchase ON orders (released_purchase_id)
        WHERE released_purchase_id IS NOT NULL
        """,
        """
        CREATE INDEX orders_open ON orders (buyer_id, bundle_id, environment, product_id, order_id)
        WHERE \(isAwaited)
        """,
        """
        CREATE INDEX orders_paid_ungranted
        ON orders (buyer_id, bundle_id, environment, product_id, order_id, paid_at) WHERE \(isUngranted)
        """,
        "CREATE INDEX orders_waiting ON orders (order_id) WHERE (\(isAwaited) OR (\(isUngranted)))",
        """
        CREATE INDEX orders_limited ON orders (buyer_id, bundle_id, environment, product_id, order_id)
        WHERE (unit_limit IS NOT NULL OR origin IN ('server', 'spot'))
        """,
        "CREATE INDEX orders_to_look_up ON orders (lookup_at) WHERE lookup_at IS NOT NULL",
        "CREATE INDEX orders_by_buyer ON orders (buyer_id, bundle_id, order_id)",
    ]

    /// What phones did, as they say; nothing is decided by it.
    private static let steps = [
        """
        CREATE TABLE order_step (
            order_id TEXT NOT NULL,
            position INTEGER NOT NULL
                CONSTRAINT position_in_log CHECK (position BETWEEN 0 AND 63),
            noted_at INTEGER NOT NULL,
            step TEXT NOT NULL CONSTRAINT step_is_known CHECK (\(isKnownStep)),
            error_code TEXT,
            error_domain TEXT,
            PRIMARY KEY (order_id, position)
        ) STRICT, WITHOUT ROWID
        """
    ]

    private static let tokens = [
        """
        CREATE TABLE token_owner (
            token TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            buyer_id TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            register_event TEXT NOT NULL,
            PRIMARY KEY (token, bundle_id)
        ) STRICT
        """,
        """
        CREATE TABLE kept_compensation (
            proposal_id TEXT NOT NULL PRIMARY KEY,
            is_ended INTEGER NOT NULL CONSTRAINT ended_is_a_flag CHECK (is_ended IN (0, 1)),
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
