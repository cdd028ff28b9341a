import Database

/// The tables of Entitlements: the grant of each purchase, the ledger, and its sums.
///
/// A purchase that has moved between two buyers of one partition has a row in `grants` for each, of which one holds it;
/// what a restore moves the ledger has from `transit` and to there. Four columns repeat what each grant's
/// document says, so that an audit reads them and parses no document.
///
/// The ledger only grows: this service never updates or deletes an entry. Each moves its amount between the buyer's
/// account, which is written `buyer` because the row names whose it is, and another one. Only the buyer's balance is
/// kept beside it: one of `apple:…` would be a row that every purchase changes, and `counterfoil audit` sums it up.
/// `ledger_grants_once` keeps the store from granting a purchase to a buyer twice, `ledger_entry_once` from every other
/// entry twice; no entry is in both. The former has `kind`, which is the same in each of its rows, so that an audit
/// reads the index alone. `ledger_changes` finds what a refund and its reversal have moved, so that the entries of a
/// purchase are read without its buyer's others. `superseded_facts` has the facts with which the last change of a
/// purchase was sent, once newer ones have replaced them in `grants`: so it can be sent again unchanged.
/// In `grants` and `ledger`, `event_id` is the message that led to the row. `event_type` is its type; it is null for
/// `PurchaseReportedV1`, and in `ledger` also for what a buyer's server asked for.
/// `wallet_request` has the replies to spends, credits and reversals, by the keys under which they are repeated.
///
/// `period` has the facts of a subscription's chain: the periods that the buyer holds, and without a document those
/// that others hold. `subscription` has what Apple says of the renewal, and the access that follows from all of it,
/// so that reading takes one row a chain; null while the buyer holds none of its periods. `told_holding` has what the
/// buyer's server was told last of each entitlement, when time changes it next, and when it was computed. `consent` has
/// what buyers agree to.
///
/// `compensation` has what operators have proposed, and what became of it; what it gives is a row in `grants`, under a
/// purchase of its own. `compensation_name` has the order on which one stands, and the transactions and purchases
/// of an order of Apple's. `operator_day` counts what an operator does to amounts. `apple_order_lease` has the orders
/// of Apple's that are reserved for a proposal.
enum EntitlementsSchema {
    static let schema = Schema("entitlements", [Migration(1, tables)])

    // The kinds of entries.
    private static let coming = [
        "grant", "reinstatement", "credit", "spendReversal", "transferIn", "compensation",
    ]
    private static let leaving = ["spend", "reversal", "transferOut", "compensationReversal"]
    private static let ofPurchases = [
        "grant", "reversal", "reinstatement", "transferOut", "transferIn", "compensation",
        "compensationReversal",
    ]
    private static let undoing = [
        "reversal", "reinstatement", "spendReversal", "transferOut", "compensationReversal",
    ]

    private static func isKind(_ kinds: [String]) -> String { isOneOf("kind", kinds) }

    private static let tables = [
        """
        CREATE TABLE grants (
          purchase_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          order_id TEXT NOT NULL,
          signed_date INTEGER NOT NULL,
          state TEXT NOT NULL,
          reason TEXT,
          goods INTEGER NOT NULL CONSTRAINT grants_count_goods CHECK (goods >= 0),
          was_payers INTEGER NOT NULL CONSTRAINT was_payers_is_a_flag CHECK (was_payers IN (0, 1)),
          has_left INTEGER NOT NULL CONSTRAINT has_left_is_a_flag CHECK (has_left IN (0, 1)),
          is_forfeited INTEGER NOT NULL CONSTRAINT is_forfeited_is_a_flag CHECK (is_forfeited IN (0, 1)),
          document TEXT NOT NULL,
          catalog_version TEXT,
          receipt_id TEXT,
          changed_at INTEGER NOT NULL,
          event_id TEXT NOT NULL,
          event_type TEXT,
          causation_id TEXT,
          CONSTRAINT grants_one_per_buyer PRIMARY KEY (purchase_id, environment, bundle_id, buyer_id),
          CONSTRAINT grants_known_state CHECK (
            \(isOneOf("state", ["parked", "tombstone", "granted", "reversed", "void"]))),
          CONSTRAINT grants_void_by_forfeit CHECK (state <> 'void' OR (has_left = 1 AND is_forfeited = 1)),
          CONSTRAINT grants_parked_for_a_reason CHECK ((state = 'parked') = (reason IS NOT NULL)),
          CONSTRAINT grants_by_a_catalog CHECK (state NOT IN ('granted', 'reversed') OR catalog_version IS NOT NULL)
        ) STRICT
        """,
        """
        CREATE INDEX grants_parked ON grants (purchase_id, environment, bundle_id, buyer_id, changed_at, state)
        WHERE state = 'parked'
        """,
        """
        CREATE INDEX grants_parked_since ON grants (changed_at, purchase_id, environment, bundle_id, buyer_id, state)
        WHERE state = 'parked'
        """,
        """
        CREATE TABLE ledger (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          number INTEGER NOT NULL,
          entry_id TEXT NOT NULL,
          kind TEXT NOT NULL,
          entitlement TEXT NOT NULL,
          amount INTEGER NOT NULL,
          from_account TEXT NOT NULL,
          to_account TEXT NOT NULL,
          undoes TEXT,
          purchase_id TEXT,
          transaction_id TEXT,
          price INTEGER,
          seats INTEGER,
          seats_price INTEGER,
          currency TEXT,
          storefront TEXT,
          metadata TEXT,
          environment TEXT NOT NULL,
          time INTEGER NOT NULL,
          event_id TEXT NOT NULL,
          event_type TEXT,
          causation_id TEXT,
          CONSTRAINT ledger_counts_per_buyer PRIMARY KEY (bundle_id, buyer_id, number),
          CONSTRAINT ledger_moves_something CHECK (amount > 0),
          CONSTRAINT ledger_one_account_is_the_buyers CHECK ((from_account = 'buyer') <> (to_account = 'buyer')),
          CONSTRAINT ledger_known_kind CHECK (\(isKind(coming + leaving))),
          CONSTRAINT ledger_direction_of_kind CHECK ((to_account = 'buyer') = \(isKind(coming))),
          CONSTRAINT ledger_purchase_of_kind CHECK (
            \(isKind(ofPurchases)) = (purchase_id IS NOT NULL AND transaction_id IS NOT NULL)
          ),
          CONSTRAINT ledger_undoes_of_kind CHECK (\(isKind(undoing)) = (undoes IS NOT NULL))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE UNIQUE INDEX ledger_grants_once
        ON ledger (purchase_id, environment, bundle_id, buyer_id, entitlement, kind) WHERE kind = 'grant'
        """,
        "CREATE UNIQUE INDEX ledger_entry_once ON ledger (entry_id) WHERE kind <> 'grant'",
        """
        CREATE INDEX ledger_changes ON ledger (purchase_id, environment, bundle_id)
        WHERE kind <> 'grant' AND purchase_id IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX ledger_spends_back_once ON ledger (bundle_id, buyer_id, undoes)
        WHERE kind = 'spendReversal'
        """,
        """
        CREATE TABLE superseded_facts (
          event_id TEXT NOT NULL PRIMARY KEY,
          facts TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE balance (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          entitlement TEXT NOT NULL,
          amount INTEGER NOT NULL,
          CONSTRAINT balance_one_per_entitlement PRIMARY KEY (bundle_id, buyer_id, environment, entitlement)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE wallet_request (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          route TEXT NOT NULL,
          idempotency_key TEXT NOT NULL,
          fingerprint TEXT NOT NULL,
          entry_id TEXT NOT NULL,
          balance INTEGER NOT NULL,
          CONSTRAINT wallet_request_once PRIMARY KEY (bundle_id, buyer_id, route, idempotency_key),
          CONSTRAINT wallet_request_known_route CHECK (\(isOneOf("route", ["spend", "credit", "reverse"])))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE possession (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          entitlement TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          product_id TEXT NOT NULL,
          since INTEGER NOT NULL,
          days INTEGER CONSTRAINT possession_lasts_for_days CHECK (days > 0),
          quantity INTEGER NOT NULL CONSTRAINT possession_has_units CHECK (quantity > 0),
          original_transaction_id TEXT,
          CONSTRAINT possession_one_per_purchase
            PRIMARY KEY (bundle_id, buyer_id, environment, entitlement, purchase_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE period (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          purchased_at INTEGER NOT NULL,
          document TEXT,
          CONSTRAINT period_one_per_purchase
            PRIMARY KEY (bundle_id, buyer_id, environment, original_transaction_id, purchase_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE subscription (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          renewal TEXT,
          access TEXT,
          CONSTRAINT subscription_one_per_chain
            PRIMARY KEY (bundle_id, buyer_id, environment, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE told_holding (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          entitlement TEXT NOT NULL,
          is_held INTEGER NOT NULL CONSTRAINT told_holding_is_a_flag CHECK (is_held IN (0, 1)),
          expires_at INTEGER,
          reason TEXT,
          changes_at INTEGER,
          computed_at INTEGER NOT NULL,
          event_id TEXT,
          CONSTRAINT told_holding_one_per_entitlement PRIMARY KEY (bundle_id, buyer_id, environment, entitlement),
          CONSTRAINT told_holding_ends_where_held CHECK (is_held = 1 OR expires_at IS NULL),
          CONSTRAINT told_holding_for_a_reason CHECK (is_held = 0 OR reason IS NOT NULL),
          CONSTRAINT told_holding_by_an_event CHECK ((reason IS NULL) = (event_id IS NULL))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX told_holding_changes ON told_holding (changes_at) WHERE changes_at IS NOT NULL",
        "CREATE INDEX told_holding_computed ON told_holding (computed_at)",
        """
        CREATE TABLE compensation (
          proposal_id TEXT NOT NULL PRIMARY KEY,
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          basis TEXT NOT NULL,
          order_id TEXT,
          apple_order_id TEXT,
          state TEXT NOT NULL,
          proposed_at INTEGER NOT NULL,
          document TEXT NOT NULL,
          CONSTRAINT compensation_known_basis CHECK (\(isOneOf("basis", ["order", "appleOrder", "goodwill"]))),
          CONSTRAINT compensation_known_state CHECK (
            \(isOneOf("state", ["proposed", "granted", "reversed", "matched", "void"]))),
          CONSTRAINT compensation_order_of_basis CHECK ((basis = 'order') = (order_id IS NOT NULL)),
          CONSTRAINT compensation_number_of_basis CHECK ((basis = 'appleOrder') = (apple_order_id IS NOT NULL))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE UNIQUE INDEX compensation_one_per_order ON compensation (order_id)
        WHERE (state = 'proposed' OR state = 'granted')
        """,
        """
        CREATE UNIQUE INDEX compensation_one_per_number ON compensation (bundle_id, apple_order_id)
        WHERE (state = 'proposed' OR state = 'granted')
        """,
        "CREATE INDEX compensation_of_buyer ON compensation (bundle_id, buyer_id, proposed_at)",
        """
        CREATE INDEX compensation_proposed ON compensation (proposed_at, proposal_id) WHERE state = 'proposed'
        """,
        """
        CREATE TABLE compensation_name (
          name TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          proposal_id TEXT NOT NULL,
          CONSTRAINT compensation_name_once PRIMARY KEY (name, bundle_id, proposal_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE operator_day (
          operator_id TEXT NOT NULL,
          act_id TEXT NOT NULL,
          day INTEGER NOT NULL,
          proposal_id TEXT NOT NULL,
          attempt TEXT NOT NULL,
          CONSTRAINT operator_day_counts_once PRIMARY KEY (operator_id, act_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE apple_order_lease (
          bundle_id TEXT NOT NULL,
          apple_order_id TEXT NOT NULL,
          proposal_id TEXT NOT NULL,
          attempt TEXT NOT NULL,
          ends_at INTEGER NOT NULL,
          CONSTRAINT apple_order_lease_once PRIMARY KEY (bundle_id, apple_order_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX apple_order_lease_ending ON apple_order_lease (ends_at)",
        """
        CREATE TABLE consent (
          bundle_id TEXT NOT NULL,
          buyer_id TEXT NOT NULL,
          consumption INTEGER NOT NULL CONSTRAINT consent_is_a_flag CHECK (consumption IN (0, 1)),
          changed_at INTEGER NOT NULL,
          CONSTRAINT consent_one_per_buyer PRIMARY KEY (bundle_id, buyer_id)
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
