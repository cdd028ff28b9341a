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
/// | it is kept, as a purchase of the chain waits for Apple or Orders | the commit that tells whose that is answers |
/// | it is answered | the link back; who is asked again answers by what is known then |
/// | the answer has come | what waited has gone on in that commit |
/// | a restored store does not know that it has asked | the transactions come again, and ask again |
/// | a restored store has lost the replaced chain | it answers that nobody holds it, and that stays |
struct PreviousChainWorkflow {
    private let context: HandlerContext
    private let record: PreviousChainStore.Record

    /// Of a transaction of a purchase; nil where its chain replaces none.
    init?(_ signed: SignedTransaction, of purchase: ChainPurchase, in context: HandlerContext) {
        guard let previous = signed.replacedChain else { return nil }
        self.init(PreviousChainStore.Record(purchase: purchase, previous: previous), in: context)
    }

    init(_ record: PreviousChainStore.Record, in context: HandlerContext) {
        (self.record, self.context) = (record, context)
    }

    /// Asks, if that must be, and returns whether the answer is awaited.
    ///
    /// A chain of this partition answers at once.
    func ask() throws -> Bool {
        let chain = record.purchase.chain
        var state = try state()
        // Most that state it go on with what is known.
        guard state == .unknown else { return state == .asked }
        let isHeld = try ClaimStore(connection: context.connection).lastHolder(of: chain) != nil
        for directive in state.apply(.stated(isHeld: isHeld)) {
            switch directive {
            case .ask:
                guard context.owner(of: message) == context.address else {
                    try context.send(message)
                    continue
                }
                if let answered = try Self.answered(message, in: context) {
                    _ = state.apply(.told(answered.buyerId))
                }
            }
        }
        try save(state)
        return state == .asked
    }

    /// Whether the answer is awaited.
    func isAsking() throws(StoreError) -> Bool { try state() == .asked }

    /// Notes the answer.
    static func note(_ answered: PreviousChainAnsweredV1, in context: HandlerContext) throws(StoreError) {
        let workflow = PreviousChainWorkflow(PreviousChainStore.Record(answered), in: context)
        var state = try workflow.state()
        _ = state.apply(.told(answered.buyerId))
        try workflow.save(state)
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
            previousId: record.previous
        )
    }

    private func state() throws(StoreError) -> PreviousChain {
        try PreviousChainStore(connection: context.connection)
            .state(of: record.previous, replacedBy: record.purchase.chain)
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
        /// Once it is known whose a purchase of the chain is, which waits for Apple or Orders.
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
        switch try reply(to: asked, in: context) {
        case .answer(let answered): return answered
        case .forward(let asked): try context.send(asked)
        case .later: try PreviousChainStore(connection: context.connection).keep(asked)
        }
        return nil
    }

    /// Answers who has asked about the chain, now that more is known of it.
    static func answerQuestions(about chain: ChainKey, in context: HandlerContext) throws {
        let store = PreviousChainStore(connection: context.connection)
        for asked in try store.takeQuestions(about: chain) { try answer(asked, in: context) }
    }

    /// Who holds the last period of the chain; one without a holder that leads elsewhere is asked for there.
    static func reply(
        to asked: PreviousChainAskedV1,
        in context: HandlerContext
    ) throws(StoreError) -> Reply {
        let chain = ChainKey(asked.environment, asked.bundleId, asked.askedId)
        let (claims, path) = (ClaimStore(connection: context.connection), asked.aliases ?? [])
        if let holder = try claims.lastHolder(of: chain) {
            return .answer(PreviousChainAnsweredV1(asked, buyerId: holder))
        }
        let home = try NameRegistrationStore(connection: context.connection).home(of: chain)
        guard let home, NameWorkflow.mayGo(to: home, through: path) else {
            return try claims.isOpen(chain) ? .later : .answer(PreviousChainAnsweredV1(asked, buyerId: nil))
        }
        var forwarded = asked
        forwarded.askedId = home
        forwarded.aliases = path + [asked.askedId]
        return .forward(forwarded)
    }
}

extension PreviousChainStore.Record {
    fileprivate init(_ answered: PreviousChainAnsweredV1) {
        let chain = ChainKey(answered.environment, answered.bundleId, answered.originalTransactionId)
        self.init(purchase: ChainPurchase(chain, answered.purchaseId), previous: answered.previousId)
    }
}
