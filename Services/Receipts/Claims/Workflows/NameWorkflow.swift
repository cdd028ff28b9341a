import Contracts
import Database
import Delivery
import Domain

/// Registers the names of one purchase, and leads it to its home if that is another chain.
///
/// What each crash leaves, and who goes on:
///
/// | the last commit before the crash, or in a restored store | who goes on |
/// |---|---|
/// | a name is claimed | the link to the name's partition; each redrive claims it again |
/// | the name's row is there | the link back; a name that is claimed again by its home is answered alike |
/// | the answer has come | what waited has gone on, or to its home, in that commit |
/// | the answer has come, and this store is an older copy | each redrive of the name's partition answers again |
/// | a restored store has no row of a name | its home claims it again; who was faster is told of an alarm |
/// | a restored store knows neither claim nor registration | the submissions come again; the row says that this is the home |
/// | a restored home lacks what an alias has sent on | the alias sends its newest statement again |
struct NameWorkflow {
    private let context: HandlerContext
    let key: ChainPurchase
    private(set) var registration: NameRegistration
    private var stored: NameRegistration?
    /// Whether the transaction is known to be one of the purchase.
    private let isNoted: Bool

    /// Of a purchase whose names are registered, or about to be.
    init?(_ key: ChainPurchase, in context: HandlerContext) throws {
        let store = NameRegistrationStore(connection: context.connection)
        guard let registration = try store.registration(key) else { return nil }
        self.init(key, registration, in: context)
    }

    init(
        _ key: ChainPurchase,
        _ registration: NameRegistration,
        isStored: Bool = true,
        isNoted: Bool = false,
        in context: HandlerContext
    ) {
        (self.key, self.registration, stored) = (key, registration, isStored ? registration : nil)
        (self.isNoted, self.context) = (isNoted, context)
    }

    /// Of the purchase of a transaction; nil where it has no names and is no period, and its chain leads nowhere else.
    ///
    /// The transaction says which it is, then the claims of its chain, then its names, then when its period begins,
    /// then its own key.
    init?(of facts: TransactionFacts, stating names: [PurchaseName], in context: HandlerContext) throws {
        let (store, chain) = (NameRegistrationStore(connection: context.connection), ChainKey(facts))
        if let known = try store.purchase(stating: .transaction(facts.transactionId), in: chain) {
            self.init(known.key, known.registration, isNoted: true, in: context)
            return
        }
        let own = ChainPurchase(chain, facts.purchaseId)
        let (home, keyed) = (try store.home(of: chain), try store.registration(own))
        let period = PeriodName(facts)
        if names.isEmpty, period == nil, home == nil, keyed == nil { return nil }
        let record = try ClaimStore(connection: context.connection).record(of: facts)
        if let record, record.originalTransactionID == chain.originalTransactionID {
            let key = ChainPurchase(chain, record.key.purchaseID)
            let registration = try store.registration(key)
            if registration == nil, names.isEmpty { return nil }
            let first = NameRegistration(of: chain.originalTransactionID)
            self.init(key, registration ?? first, isStored: registration != nil, in: context)
            return
        }
        for name in names.map(\.text) + [period?.sought].compactMap(\.self) {
            guard let known = try store.purchase(stating: name, in: chain) else { continue }
            self.init(known.key, known.registration, in: context)
            return
        }
        let state = home.map { NameRegistration.State.alias(of: $0, nil) } ?? .unregistered
        let first = NameRegistration(of: chain.originalTransactionID, state)
        self.init(own, keyed ?? first, isStored: keyed != nil, in: context)
    }

    private var store: NameRegistrationStore { NameRegistrationStore(connection: context.connection) }
    private var claims: ClaimStore { ClaimStore(connection: context.connection) }

    // MARK: Events

    /// What becomes of facts of the purchase now.
    func way() throws(StoreError) -> NameRegistration.Way {
        switch registration.state {
        case .registering: registration.way(try phase())
        case .unregistered, .registered, .contested, .alias: registration.way(.open)
        }
    }

    /// Facts state names; they have come through these chains.
    mutating func state(
        _ names: [PurchaseName],
        of facts: TransactionFacts,
        through path: [TransactionID] = []
    ) throws {
        if isNoted, path.isEmpty, registration.isRegistered(stating: names) { return }
        try apply(.stated(names, through: path))
        let known = (names + [.transaction(facts.transactionId)]).map(\.text)
        try store.add(known + (PeriodName(facts)?.stated ?? []), of: key)
    }

    /// Applies an event; what lies in this partition is claimed at once.
    mutating func apply(_ event: NameRegistration.Event) throws {
        let phase = try phase()
        var directives = registration.apply(event, phase)[...]
        var home: TransactionID?
        while let directive = directives.popFirst() {
            switch directive {
            case .claim(let name): directives += try claim(name, phase)
            case .becomeAlias(let chain): home = chain
            case .alarm(let name, let chain):
                let named = name.map { " by the name \($0.text)" } ?? ""
                context.alarm(
                    .nameContested,
                    """
                    the purchase \(key.purchaseID) belongs to the chain \(chain)\(named), but may be held here: run \
                    `counterfoil audit`
                    """
                )
            }
        }
        if registration != stored {
            try store.save(registration, of: key, now: context.now)
            stored = registration
        }
        if let home { try lead(to: home) }
    }

    private func phase() throws(StoreError) -> NameRegistration.Phase {
        try claims.record(key)?.claim.namePhase ?? .open
    }

    private mutating func claim(
        _ name: PurchaseName,
        _ phase: NameRegistration.Phase
    ) throws -> [NameRegistration.Directive] {
        let claimed = claimed(name)
        guard context.owner(of: claimed) == context.address else {
            try context.send(claimed)
            return []
        }
        let home = try PurchaseNameStore(connection: context.connection).claim(claimed)
        return registration.apply(.told(name, home: home), phase)
    }

    private func claimed(_ name: PurchaseName) -> NameClaimedV1 {
        NameClaimedV1(
            environment: key.chain.environment,
            bundleId: key.chain.bundleID,
            name: name,
            originalTransactionId: key.chain.originalTransactionID,
            purchaseId: key.purchaseID
        )
    }

    // MARK: Aliases

    /// Sends what is known of the purchase to its home; a chain that has no other purchase leads there from now on.
    private func lead(to home: TransactionID) throws {
        let isAlone = try store.isAlone(key)
        if let record = try claims.record(key) {
            let renewals = RenewalStore(connection: context.connection)
            let renewal = isAlone ? try renewals.renewal(of: key.chain) : nil
            for var message in try messages(of: record) {
                message.renewal = renewal
                try forward(message, to: home)
            }
            try claims.remove(record)
            try ClaimWorkflow.helpOrphans(leftBy: record, in: context)
        }
        if isAlone {
            try store.lead(key.chain, to: home)
        } else {
            context.alarm(
                .nameContested,
                "the purchase \(key.purchaseID) belongs to the chain \(home), and others of its chain do not"
            )
        }
        try PreviousChainWorkflow.answerQuestions(about: key.chain, in: context)
    }

    /// Sends a message on, under the original transaction id of the home.
    func forward(_ message: TransactionVerifiedV1, to home: TransactionID) throws {
        var message = message
        message.transaction.originalTransactionId = home.rawValue
        message.aliases = (message.aliases ?? []) + [key.chain.originalTransactionID]
        try context.send(message)
        try store.keep(message, of: key)
    }

    /// A claim that nobody holds, as messages with its newest statement.
    ///
    /// Each submission has its own; so have Apple's questions what was used, and the other transactions, whose names
    /// the home registers.
    private func messages(of record: ClaimRecord) throws -> [TransactionVerifiedV1] {
        let signed = try claims.signed(record.key)
        // The partition of the receipt has asked Apple already; what that says is sent on, too.
        let inquiry: HistoryInquiry? = record.claim.awaitsApple ? .asked : nil
        func message(under id: String, for submission: Submission? = nil) -> TransactionVerifiedV1 {
            var statement = signed
            statement.transactionId = id
            return TransactionVerifiedV1(transaction: statement, submission: submission, inquiry: inquiry)
        }
        let submissions = [record.claim.proposer].compactMap(\.self) + (try claims.waiters(record))
        var messages = submissions.map { submission in
            message(
                under: submission.transactionId?.rawValue ?? record.key.purchaseID.rawValue,
                for: submission
            )
        }
        let requests = ConsumptionRequestStore(connection: context.connection)
        for request in try requests.requests(about: record.key) {
            var asked = message(under: request.key.transactionID.rawValue)
            asked.consumptionAskedAt = request.askedAt
            messages.append(asked)
            try requests.remove(request)
        }
        for id in [signed.transactionId] + registration.transactions.map(\.rawValue)
        where !messages.contains(where: { $0.transaction.transactionId == id }) {
            messages.append(message(under: id))
        }
        return messages
    }

    // MARK: By others' messages

    /// Takes a contested purchase to the chain that has its name; false if it stays.
    ///
    /// It stays until Orders has refused the last candidate who is asked.
    static func leave(_ key: PurchaseKey, refused attempt: Int, in context: HandlerContext) throws -> Bool {
        let store = NameRegistrationStore(connection: context.connection)
        guard let purchase = try store.contested(key), var workflow = try NameWorkflow(purchase, in: context),
            let record = try ClaimStore(connection: context.connection).record(purchase),
            record.claim.isLastRequest(attempt)
        else { return false }
        // What an earlier owner has asked may be held: the claim asks again.
        let scope = LookupScope(
            ownedSince: context.ownedSince,
            partitions: context.unconfirmedPartitions(of: .orders)
        )
        guard attempt >= scope.firstAttempt || scope.partitions.isEmpty else { return false }
        try workflow.apply(.refused)
        return true
    }

    /// Registers the names of a purchase that Orders knows.
    static func register(_ facts: TransactionFacts, in context: HandlerContext) throws {
        let names = PurchaseName.names(of: facts)
        guard !names.isEmpty else { return }
        var workflow = try NameWorkflow(of: facts, stating: names, in: context)
        try workflow?.state(names, of: facts)
    }

    /// Claims the names again that lie in a restored partition, and sends on again what has its home there.
    func redrive(_ forwarded: TransactionVerifiedV1?, to target: PartitionAddress) throws {
        for name in registration.redrive {
            let claimed = claimed(name)
            if context.owner(of: claimed) == target { try context.send(claimed) }
        }
        if let forwarded, context.owner(of: forwarded) == target { try context.send(forwarded) }
    }
}
