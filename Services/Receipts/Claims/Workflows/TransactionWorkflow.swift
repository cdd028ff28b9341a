import Contracts
import Database
import Delivery
import Domain

/// Leads verified transactions to their claims once the names of their purchases are registered, and once it is known
/// who holds the chain that theirs replaces.
///
/// What was bought behind a transaction of its chain that waits for that, waits, too, so that a chain keeps its order.
struct TransactionWorkflow {
    private let policies: [BundleID: AppPolicy]
    private let context: HandlerContext

    init(policies: [BundleID: AppPolicy], in context: HandlerContext) {
        (self.policies, self.context) = (policies, context)
    }

    /// Leads a genuine transaction to its claim, unless it waits or goes to another chain.
    func lead(_ message: Event<TransactionVerifiedV1>) throws -> Outcome {
        guard let facts = TransactionFacts(message.data.transaction) else {
            return .deadLettered(ProofFailure.unreadable.rawValue)
        }
        let path = message.data.aliases ?? []
        // Most purchases are ordinary: they have no names, and no other chain.
        if facts.isOrdinary, path.isEmpty { return try apply(message, facts, facts.purchaseId) }
        let (names, chain) = (PurchaseName.names(of: facts), ChainKey(facts))
        var workflow = try NameWorkflow(of: facts, stating: names, in: context)
        try workflow?.state(names, of: facts, through: path)
        let way = try workflow?.way() ?? .proceed
        let key = workflow?.key ?? ChainPurchase(chain, facts.purchaseId)
        let replaced = try replaced(by: message.data.transaction, facts, key)
        let isAsking =
            switch way {
            // Its home asks.
            case .forward: false
            case .wait, .proceed: try replaced?.ask() ?? false
            }
        if try way == .proceed && !isAsking && !messages.contains(chain, by: facts.purchaseDate) {
            return try apply(message, facts, key.purchaseID)
        }
        try messages.add(message, of: key)
        return try resume(chain)
    }

    /// Goes on after the answer of a name's partition.
    func resume(after message: Event<NameHeldV1>) throws -> Outcome {
        let (told, key) = (message.data, ChainPurchase(message.data))
        // A restored store may lack the purchase: its transactions come again, and claim the name again.
        guard var workflow = try NameWorkflow(key, in: context) else { return .applied }
        context.trace(message, of: key.purchaseID.rawValue)
        try workflow.apply(.told(told.name, home: told.homeId))
        return try resume(key.chain)
    }

    /// Goes on after the answer of a replaced chain's partition.
    func resume(after message: Event<PreviousChainAnsweredV1>) throws -> Outcome {
        let told = message.data
        context.trace(message, of: told.purchaseId.rawValue)
        try PreviousChainWorkflow.note(told, in: context)
        return try resume(ChainKey(told.environment, told.bundleId, told.originalTransactionId))
    }

    /// Lets those of a chain's waiting messages go on that nothing keeps any more; then it may be decided whose the
    /// chain was when another one replaced it.
    private func resume(_ chain: ChainKey) throws -> Outcome {
        var isBlocked = false
        for waiting in try messages.waiting(in: chain) {
            let workflow = try NameWorkflow(waiting.key, in: context)
            let signed = waiting.message.data.transaction
            guard let facts = TransactionFacts(signed) else {
                throw StoreError.corrupt("name_message.content")
            }
            let replaced = try replaced(by: signed, facts, waiting.key)
            let isAsking = try replaced?.isAsking() ?? false
            switch try workflow?.way() ?? .proceed {
            case .forward(let home):
                try messages.remove(waiting)
                try workflow?.forward(waiting.message.data, to: home)
            case .wait: isBlocked = true
            case .proceed where isBlocked || isAsking: isBlocked = true
            case .proceed:
                try messages.remove(waiting)
                let outcome = try apply(waiting.message, facts, waiting.key.purchaseID)
                guard outcome == .applied else { return outcome }
            }
        }
        try PreviousChainWorkflow.answerQuestions(about: chain, in: context)
        return .applied
    }

    private func replaced(
        by signed: SignedTransaction,
        _ facts: TransactionFacts,
        _ key: ChainPurchase
    ) throws -> PreviousChainWorkflow? {
        guard signed.replacedChain != nil else { return nil }
        let purchase = try claims.purchase(of: facts, registeredAs: key.purchaseID)
        return PreviousChainWorkflow(signed, of: ChainPurchase(key.chain, purchase), in: context)
    }

    // MARK: The claim

    private func apply(
        _ message: Event<TransactionVerifiedV1>,
        _ facts: TransactionFacts,
        _ registered: PurchaseID
    ) throws -> Outcome {
        var facts = facts
        let signed = message.data.transaction
        let known = try claims.claim(naming: &facts, registeredAs: registered)
        if known != nil { context.trace(message, of: facts.purchaseId.rawValue) }
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        var workflow = ClaimWorkflow(record, incoming: signed, in: context)
        let event = Claim.Event.verified(facts, message.data.submission)
        let outcome = try workflow.apply(event, message.data.inquiry)
        guard outcome == .applied else { return outcome }
        if facts.isPeriod { try follow(message.data, facts) }
        // Apple takes no answer about what somebody else paid for.
        if let askedAt = message.data.consumptionAskedAt, !facts.isShared,
            policies[facts.bundleId]?.apis.contains(.serverAPI) == true
        {
            let transaction = TransactionID(unchecked: signed.transactionId)
            let request = ConsumptionRequest(about: transaction, facts, askedAt: askedAt)
            try ConsumptionRequests(context).add(request)
        }
        return outcome
    }

    /// Notes what came with a period: the next renewal of its chain, and a status that asks for newer facts.
    private func follow(_ message: TransactionVerifiedV1, _ facts: TransactionFacts) throws {
        if let renewal = message.renewal, !facts.isAssigned {
            try SubscriptionRenewals(context).note(renewal, with: facts)
        }
        guard let status = message.status.flatMap(SubscriptionStatus.init(rawValue:)),
            status.contradicts(message.transaction, message.renewal),
            policies[facts.bundleId]?.apis.contains(.serverAPI) == true
        else { return }
        let history = HistoryQuery(
            environment: facts.environment,
            transactionId: facts.originalTransactionId,
            asksStatuses: true
        )
        try AppleQueries(context).ask(.history(history), of: facts.bundleId, .background)
    }

    private var claims: ClaimStore { ClaimStore(connection: context.connection) }
    private var messages: NameMessageStore { NameMessageStore(connection: context.connection) }
}
