import Database

/// The tables of the names of purchases.
///
/// - In the partition of the name: `purchase_name` says to which chain it belongs, in a row of each chain that has
///   claimed it; the first claim stays.
/// - In the partition of the original transaction id: `name_registration` has how far the names of each purchase are
///   registered, and of an alias alone the newest message that was sent on; `claim_name` leads from what its
///   transactions state to it, also from what is no name: an id, and when a period begins. `chain_alias` leads from a
///   chain without purchases of its own to its home. `previous_chain` has who holds the chains that others replace,
///   `previous_chain_question` who is answered once a chain's purchases have their holders, and the last answer.
///   `name_message` has what waits until names are registered and such a holder is known, in the order of its chain.
extension ReceiptsSchema {
    static let names = [
        """
        CREATE TABLE purchase_name (
          name TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          home_id TEXT NOT NULL,
          PRIMARY KEY (name, bundle_id, environment, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE name_registration (
          original_transaction_id TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          state TEXT NOT NULL CONSTRAINT known_name_state CHECK (
            \(isOneOf("state", ["registering", "registered", "contested", "alias"]))
          ),
          since INTEGER NOT NULL,
          content TEXT NOT NULL,
          forwarded TEXT,
          PRIMARY KEY (original_transaction_id, purchase_id, bundle_id, environment),
          CONSTRAINT forwarded_by_alias CHECK (forwarded IS NULL OR state = 'alias')
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX name_registration_waiting ON name_registration (since) WHERE state = 'registering'",
        """
        CREATE INDEX name_registration_contested ON name_registration (purchase_id, bundle_id, environment)
        WHERE state = 'contested'
        """,
        """
        CREATE TABLE claim_name (
          name TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          PRIMARY KEY (name, original_transaction_id, bundle_id, environment)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE chain_alias (
          original_transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          home_id TEXT NOT NULL,
          PRIMARY KEY (original_transaction_id, bundle_id, environment),
          CONSTRAINT home_is_another_chain CHECK (home_id <> original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE previous_chain (
          original_transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          previous_id TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          bought_at INTEGER NOT NULL,
          state TEXT NOT NULL CONSTRAINT known_answer CHECK (state IN ('asked', 'told')),
          since INTEGER NOT NULL,
          buyer_id TEXT,
          held_from INTEGER,
          signed INTEGER NOT NULL CONSTRAINT signed_is_a_flag CHECK (signed IN (0, 1)),
          PRIMARY KEY (original_transaction_id, bundle_id, environment, purchase_id, previous_id),
          CONSTRAINT previous_is_another_chain CHECK (previous_id <> original_transaction_id),
          CONSTRAINT holder_once_told CHECK (buyer_id IS NULL OR state = 'told'),
          CONSTRAINT holder_has_a_period CHECK ((buyer_id IS NULL) = (held_from IS NULL))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE previous_chain_question (
          asked_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          original_transaction_id TEXT NOT NULL,
          previous_id TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          content TEXT NOT NULL,
          answer TEXT,
          PRIMARY KEY (asked_id, bundle_id, environment, original_transaction_id, previous_id, purchase_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX previous_chain_waiting ON previous_chain (since) WHERE state = 'asked'",
        """
        CREATE TABLE name_message (
          number INTEGER NOT NULL PRIMARY KEY,
          original_transaction_id TEXT NOT NULL,
          bundle_id TEXT NOT NULL,
          environment TEXT NOT NULL,
          purchase_id TEXT NOT NULL,
          purchased_at INTEGER NOT NULL,
          event_id TEXT NOT NULL,
          cause_id TEXT,
          content TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE INDEX name_message_chain ON name_message (original_transaction_id, bundle_id, environment, number)
        """,
    ]
}
