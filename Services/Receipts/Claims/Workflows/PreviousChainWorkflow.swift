import Contracts
import Database
import Delivery
import Domain

/// Asks the partition of a chain that another one replaces who holds it.
///
/// What each crash leaves, and who goes on:
///
/// | the last commit before the crash, or in a restored store | who goes on |
/// |---|---|
/// | it is asked | the link to the other chain's partition; each redrive asks again |
/// | it is kept, as it is not decided whose a purchase of the chain is | the commit that tells whose that is answers |
/// | it is answered | the link back; who is asked again answers by what is known then |
/// | it is answered once more | the link back; each redrive to the partition that has asked answers again |
/// | the answer has come | what waited has gone on in that commit |
/// | a restored store does not know that it has asked | the transactions come again, and ask again |
/// | a restored store has lost the replaced chain | it answers that nobody holds it; a token alone changes that |
/// | a restored store does not know whom it has answered | each redrive of the chain that has asked asks again |
struct PreviousChainWorkflow {
    private let context: HandlerContext
    private let record: PreviousChainStore.Record
    private let isContinuation: Bool

    /// Of a transaction of a purchase; nil where its chain replaces none.
    init?(_ signed: SignedTransaction, of purchase: ChainPurchase, in context: HandlerContext) {
        guard let previous = signed.replacedChain else { return nil }
        let boughtAt = Timestamp(milliseconds: signed.purchaseDate)
        self.init(
            PreviousChainStore.Record(purchase: purchase, previous: previous, boughtAt: boughtAt),
            isContinuation: signed.isContinuation,
            in: context
        )
    }

    init(_ record: PreviousChainStore.Record, isContinuation: Bool = false, in context: HandlerContext) {
        (self.record, self.isContinuation, self.context) = (record, isContinuation, context)
    }

    /// Asks, if that must be, and returns whether the answer is awaited.
    ///
    /// A chain of this partition answers at once.
    func ask() throws -> Bool {
        var state = try state()
        // Most that state it go on with what is known.
        guard state == .unknown else { return state == .asked }
        if state.apply(.stated(isDecided: try isDecided())).contains(.ask) {
            if context.owner(of: message) != context.address {
                try context.send(message)
            } else if let answered = try Self.answered(message, in: context) {
                _ = state.apply(answered.event)
            }
        }
        try save(state)
        return state == .asked
    }

    /// Whether nothing follows from who holds the other chain, as somebody holds the purchase or what comes before it.
    private func isDecided() throws(StoreError) -> Bool {
        let claims = ClaimStore(connection: context.connection)
        if isContinuation { return try claims.lastHolder(of: record.purchase.chain) != nil }
        return try claims.record(record.purchase)?.claim.state.holder != nil
    }

    /// Whether the answer is awaited.
    func isAsking() throws(StoreError) -> Bool { try state() == .asked }

    /// Notes the answer; what is held with the other chain is weighed by one that a signed token has changed.
    static func note(_ answered: PreviousChainAnsweredV1, in context: HandlerContext) throws {
        let record = PreviousChainStore.Record(answered)
        let workflow = PreviousChainWorkflow(record, in: context)
        var state = try workflow.state()
        let directives = state.apply(answered.event)
        try workflow.save(state)
        let store = ClaimStore(connection: context.connection)
        guard directives.contains(.weigh), let claimed = try store.record(record.purchase) else { return }
        var claim = ClaimWorkflow(claimed, in: context)
        _ = try claim.apply(.retried)
    }

    /// Asks again, whichever partition was restored: the home that is asked may lie in another one than the chain.
    func redrive() throws { try context.send(message) }

    private var message: PreviousChainAskedV1 {
        let (chain, purchase) = (record.purchase.chain, record.purchase.purchaseID)
        return PreviousChainAskedV1(
            environment: chain.environment,
            bundleId: chain.bundleID,
            originalTransactionId: chain.originalTransactionID,
            purchaseId: purchase,
            previousId: record.previous,
            boughtAt: record.boughtAt
        )
    }

    private func state() throws(StoreError) -> PreviousChain {
        try PreviousChainStore(connection: context.connection)
            .state(of: record.previous, replacedBy: record.purchase)
    }

    private func save(_ state: PreviousChain) throws(StoreError) {
        try PreviousChainStore(connection: context.connection).save(state, of: record, now: context.now)
    }

    // MARK: The chain that is asked

    /// What the partition of the chain that is asked says.
    enum Reply {
        case answer(PreviousChainAnsweredV1)
        /// To the home of a chain that is an alias.
        case forward(PreviousChainAskedV1)
        /// Once it is decided whose a purchase of the chain is: it waits for Apple or Orders, or may be taken from its
        /// holder.
        case later
    }

    /// Answers, or keeps the question.
    static func answer(_ asked: PreviousChainAskedV1, in context: HandlerContext) throws {
        if let answered = try answered(asked, in: context) { try context.send(answered) }
    }

    /// The answer; nil of a question that goes on to another home, or is kept.
    private static func answered(
        _ asked: PreviousChainAskedV1,
        in context: HandlerContext
    ) throws -> PreviousChainAnsweredV1? {
        let store = PreviousChainStore(connection: context.connection)
        switch try reply(to: asked, in: context) {
        case .answer(let answered):
            try store.keep(asked, answered)
            return answered
        case .forward(let forwarded):
            try store.remove(asked)
            try context.send(forwarded)
        case .later: try store.keep(asked, nil)
        }
        return nil
    }

    /// Answers who has asked about the chain, now that more is known of it; who is answered hears of another holder
    /// only if a signed token has given the chain to that one.
    static func answerQuestions(about chain: ChainKey, in context: HandlerContext) throws {
        let store = PreviousChainStore(connection: context.connection)
        for question in try store.questions(about: chain) {
            guard let told = question.answer else {
                try answer(question.asked, in: context)
                continue
            }
            guard case .answer(let answered) = try reply(to: question.asked, in: context),
                answered.isSigned == true, answered.buyerId != told.buyerId
            else { continue }
            try store.keep(question.asked, answered)
            try context.send(answered)
        }
    }

    /// Who holds the last period that was bought before the other chain replaced this one, once nothing may give such
    /// a period to another buyer; a chain without a holder that leads elsewhere is asked for there.
    ///
    /// What was bought later has no say and is not waited for, so chains that replace one another in turn do not wait
    /// for each other.
    static func reply(
        to asked: PreviousChainAskedV1,
        in context: HandlerContext
    ) throws(StoreError) -> Reply {
        let chain = ChainKey(asked.environment, asked.bundleId, asked.askedId)
        let (claims, path) = (ClaimStore(connection: context.connection), asked.aliases ?? [])
        let isWaiting = try NameMessageStore(connection: context.connection)
            .contains(chain, by: asked.boughtAt)
        let isOpen = try isWaiting ? true : claims.isOpen(chain, by: asked.boughtAt)
        if let holder = try claims.lastHolder(of: chain, by: asked.boughtAt) {
            return isOpen ? .later : .answer(PreviousChainAnsweredV1(asked, holder))
        }
        let home = try NameRegistrationStore(connection: context.connection).home(of: chain)
        guard let home, NameWorkflow.mayGo(to: home, through: path) else {
            return isOpen ? .later : .answer(PreviousChainAnsweredV1(asked, nil))
        }
        var forwarded = asked
        forwarded.askedId = home
        forwarded.aliases = path + [asked.askedId]
        return .forward(forwarded)
    }
}

extension PreviousChainAnsweredV1 {
    fileprivate init(_ asked: PreviousChainAskedV1, _ holder: PreviousChain.Holder?) {
        self.init(
            asked,
            buyerId: holder?.buyer,
            purchasedAt: holder?.purchasedAt,
            isSigned: holder?.isSigned ?? false
        )
    }

    fileprivate var event: PreviousChain.Event {
        guard let buyerId, let purchasedAt else { return .told(nil) }
        return .told(
            PreviousChain.Holder(buyer: buyerId, purchasedAt: purchasedAt, isSigned: isSigned == true)
        )
    }
}

extension PreviousChainStore.Record {
    fileprivate init(_ answered: PreviousChainAnsweredV1) {
        let chain = ChainKey(answered.environment, answered.bundleId, answered.originalTransactionId)
        self.init(
            purchase: ChainPurchase(chain, answered.purchaseId),
            previous: answered.previousId,
            boughtAt: answered.boughtAt
        )
    }
}
