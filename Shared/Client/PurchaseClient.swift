/// The app's side of purchases: make one, and `start` it first thing at launch; it goes on until the process ends.
///
/// It guarantees that a payment that StoreKit has told of is kept before it is sent, is sent until the gateway has said
/// `"finish": true`, and is finished then and not earlier, whatever dies in between. Calls without `await` return at
/// once, and are done in the order in which they were made, also before `start`.
public actor PurchaseClient {
    private enum Turn: Sendable {
        case input(PurchaseFlow.Event?)
        /// Who waits until what was said before it has been heard.
        case mark(AsyncStream<Never>.Continuation)
        case done(PurchaseFlow.Event? = nil)
    }

    /// So long a purchase that no earlier life began waits for StoreKit to list what is paid already.
    static let listingMilliseconds: Int64 = 5_000
    private static let loadPauseMilliseconds: Int64 = 1_000
    /// After so many tries nobody waits for the store any more; they go on.
    static let awaitedLoads = 10
    private static let cannotRead = "cannot-read"
    /// A network that comes and goes is one that came back, within this time.
    private static let recoveryPauseMilliseconds: Int64 = 5_000
    private let source: any TransactionSource
    private let store: any ProofStore
    private let backend: any PurchaseBackend
    private let clock: any PurchaseClock
    private let reachability: (any Reachability)?
    private let random: @Sendable () -> Double
    private let (input, send) = AsyncStream<Turn>.makeStream()
    /// `start` finishes it, which is seen at once; the stream has only to live as long.
    nonisolated let (begun, begin) = AsyncStream<Void>.makeStream()
    private var flow = PurchaseFlow()
    private var logs = StepLogs()
    private var screens: [String: PurchaseScreen] = [:]
    private var observers: [AsyncStream<[String: PurchaseScreen]>.Continuation] = []
    private var hasRun = false
    /// Who waits while the store is read; nil afterwards.
    private var waiting: [AsyncStream<Never>.Continuation]? = []
    private var whyNobody = "not-started"

    /// Does nothing before `start`; each part has a fake, `reachability` may be left out, `random` is from 0 to 1.
    public init(
        source: any TransactionSource,
        store: any ProofStore,
        backend: any PurchaseBackend,
        clock: any PurchaseClock = SystemPurchaseClock(),
        reachability: (any Reachability)? = nil,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.source, self.store, self.backend) = (source, store, backend)
        (self.clock, self.reachability, self.random) = (clock, reachability, random)
    }

    /// Begins to listen, send and finish, and returns at once; it goes on until the process ends.
    ///
    /// Call it where the app begins: what StoreKit told before it listened is listed, and not lost. `login` is who is
    /// logged in; with nobody logged in proofs are kept, and sent after the login. No window, view or task that ends
    /// takes it along; where it has begun already, it says who is logged in, and nothing else.
    public nonisolated func start(login: String?) {
        begin.finish()
        Task { await run(login: login) }
    }

    /// The same, until the task is cancelled: then this client is over.
    package func run(login: String?) async {
        guard !hasRun else {
            send.yield(.input(.login(login)))
            return
        }
        hasRun = true
        begin.finish()
        defer { endWaiting(because: "not-started") }
        // Before anything else: what StoreKit tells while nobody listens comes late.
        await withTaskGroup(of: Turn.self) { group in
            group.addTask { [source, send] in
                await source.observe { send.yield(.input(.seen($0))) }
                return .done()
            }
            if let recoveries = reachability?.recoveries() {
                group.addTask { [send, clock] in
                    for await _ in recoveries {
                        send.yield(.input(.networkBack))
                        await clock.pause(milliseconds: Self.recoveryPauseMilliseconds)
                    }
                    return .done()
                }
            }
            guard let records = await load() else { return group.cancelAll() }
            await handle(.launched(records, login: login), &group)
            // What was said meanwhile is heard first: the queue answers.
            (waiting, whyNobody) = (nil, "nobodyLoggedIn")
            askForUnfinished(&group)
            // What StoreKit lists later counts all the same.
            group.addTask { [clock] in
                await clock.pause(milliseconds: Self.listingMilliseconds)
                return .done(.listed(nil))
            }
            group.addTask { await self.nextInput() }
            // What is cut off by the end is done again at the next launch.
            for await turn in group where !Task.isCancelled {
                switch turn {
                case .input(nil): group.cancelAll()
                case .input(let event?):
                    await handle(event, &group)
                    if event == .foreground { askForUnfinished(&group) }
                    group.addTask { await self.nextInput() }
                case .mark(let waiter):
                    waiter.finish()
                    group.addTask { await self.nextInput() }
                case .done(let event): if let event { await handle(event, &group) }
                }
            }
        }
    }

    /// Begins a purchase for who is logged in, and returns at once; what becomes of it is on the screen (`states`).
    ///
    /// It does nothing while one of the same product is under way, is being delivered, or is paid and needs help. With
    /// nobody logged in it begins at the login. Until StoreKit has listed what is unfinished it waits: 5 s at most, and
    /// without end where an earlier life of the app began to buy it. Money moves only after the purchase is kept with
    /// its buyer, and never where the gateway has refused the order; where that cannot be reached, without an order.
    public nonisolated func buy(_ productID: String) { send.yield(.input(.buy(productID: productID))) }

    /// Says who is logged in; every kept proof is sent, each with its own buyer, but none before its `Retry-After`.
    public nonisolated func logIn(_ buyer: String) { send.yield(.input(.login(buyer))) }
    /// Says that nobody is logged in: from then on no proof is sent, and everything is kept; what this buyer has begun
    /// is still reported and logged, if `tokens` has a token of who is logged out: give none.
    public nonisolated func logOut() { send.yield(.input(.login(nil))) }
    /// Says that the app is in the foreground again; every kept proof is sent, but none before its `Retry-After`.
    public nonisolated func enterForeground() { send.yield(.input(.foreground)) }
    /// Asks StoreKit for what the buyer owns, and hands it in with `intent: restore`; the gateway decides whose it is.
    ///
    /// It returns with the number of transactions when StoreKit has answered: they are handed in from then on. While
    /// `start` reads what is kept it waits, 10 s at most: then the code is `cannot-read`; before it, `not-started`.
    @discardableResult public func restore() async throws(PurchaseOutcome) -> Int {
        guard await caller() != nil else { throw .failed(domain: "CounterfoilClient", code: whyNobody) }
        let transactions = try await source.restored()
        for transaction in transactions { send.yield(.input(.seen(transaction))) }
        return transactions.count
    }

    /// Says that the buyer has read the screen of a product: it is `ready` again, unless it is paid and not `done`.
    ///
    /// What is paid and needs help stays until it is delivered. Where the gateway's last word was no delivery, such as
    /// `conflict`, it stays until the process ends or the login changes.
    public nonisolated func acknowledge(_ productID: String) {
        send.yield(.input(.acknowledged(productID: productID)))
    }

    /// The screens of all products that are not `ready`, now and after each change; the newest one alone is kept.
    ///
    /// Each call is a stream for one reader, and ends with it. The first element may come before the store is read.
    public func states() -> AsyncStream<[String: PurchaseScreen]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
            observer.yield(screens)
            observers.append(observer)
        }
    }

    /// What is on sale, with prices; nil where gateway or store could not be asked, or nobody is logged in: `restore`
    /// has a code for support then; while `start` reads what is kept it waits, 10 s at most.
    public func products() async -> [PurchasableProduct]? {
        guard let buyer = await caller(), let catalog = await backend.products(buyer: buyer),
            let prices = await source.prices(of: catalog.map(\.productId))
        else { return nil }
        return PurchasableProduct.join(catalog, prices, now: clock.now())
    }

    /// Whether this phone may pay at all; if not, offer nothing.
    public func canMakePayments() async -> Bool { await source.canMakePayments() }

    /// Who is logged in, once the store has been read, and all that was said before has been heard.
    private func caller() async -> String? {
        guard case .terminated = begin.yield() else { return nil }
        let (hearing, waiter) = AsyncStream<Never>.makeStream()
        waiting?.append(waiter)
        send.yield(.mark(waiter))
        if whyNobody != Self.cannotRead { for await _ in hearing {} }
        return flow.caller
    }

    private func endWaiting(because code: String) {
        whyNobody = code
        for waiter in waiting ?? [] { waiter.finish() }
        waiting = nil
    }

    private func load() async -> [KeptRecord]? {
        var failures = 0
        while !Task.isCancelled {
            // Before a phone's first unlock the keychain is closed, and nobody else knows whose a transaction is.
            do { return try await store.load() } catch {
                failures += 1
                if failures == Self.awaitedLoads { endWaiting(because: Self.cannotRead) }
                await clock.pause(milliseconds: Self.loadPauseMilliseconds)
            }
        }
        return nil
    }

    private func nextInput() async -> Turn {
        for await turn in input { return turn }
        return .input(nil)
    }

    private func askForUnfinished(_ group: inout TaskGroup<Turn>) {
        group.addTask { [source] in .done(.listed(await source.unfinished())) }
    }

    private func keep(_ record: KeptRecord) async -> Bool {
        do { try await store.keep(record) } catch { return false }
        return true
    }

    private func forget(_ key: String) async {
        // What stays is sent again at the next launch, and is answered as before.
        do { try await store.forget(key: key) } catch {}
    }

    private func handle(_ event: PurchaseFlow.Event, _ group: inout TaskGroup<Turn>) async {
        let before = flow
        let effects = flow.apply(event, chance: random())
        if let (orderID, buyer, entries) = logs.note(event, from: before, to: flow, at: clock.now()) {
            group.addTask { [backend] in
                await backend.log(orderID: orderID, buyer: buyer, entries)
                return .done()
            }
        }
        for effect in effects {
            switch effect {
            case .show(let screens):
                self.screens = screens
                // Who looks no more is dropped.
                observers.removeAll { if case .terminated = $0.yield(screens) { true } else { false } }
            // One after another: what is forgotten must not take away what was kept after it.
            case .proof(_, _, .keep), .proof(_, _, .forget), .purchase(_, .keep), .purchase(_, .forget):
                if let event = await perform(effect) { send.yield(.input(event)) }
            case .proof, .purchase: group.addTask { .done(await self.perform(effect)) }
            }
        }
    }

    /// Does what takes time; the event that answers it.
    private func perform(_ effect: PurchaseFlow.Effect) async -> PurchaseFlow.Event? {
        switch effect {
        case .proof(let id, let turn, .keep(let proof)):
            return .proof(transactionID: id, .kept(turn: turn, isDurable: await keep(.proof(proof))))
        case .proof(let id, _, .forget): await forget(KeptRecord.proofKey(id))
        case .proof(let id, let turn, .send(let submission)):
            return .proof(transactionID: id, .answered(turn: turn, await backend.submit(submission)))
        case .proof(let id, let turn, .wait(let milliseconds)):
            await clock.pause(milliseconds: milliseconds)
            return .proof(transactionID: id, .due(turn: turn))
        case .proof(let id, let turn, .finish):
            await source.finish(transactionID: id)
            return .proof(transactionID: id, .finished(turn: turn))
        case .proof(_, _, .refreshReceipt): return await source.refreshedReceipt().map { .seen($0) }
        case .purchase(let productID, .keep(let purchase)):
            let isDurable = await keep(.purchase(purchase))
            return .purchaseKept(productID: productID, token: purchase.token, isDurable: isDurable)
        case .purchase(_, .forget(let purchase)): await forget(KeptRecord.purchase(purchase).key)
        case .purchase(let productID, .order(let buyer)):
            let token = KeptPurchase.newToken()
            let answer = await backend.order(productID: productID, buyer: buyer, key: token)
            return .ordered(productID: productID, answer, token: token, now: clock.now())
        case .purchase(let productID, .purchase(let kept)):
            let (id, token) = (productID, kept.token)
            do throws(PurchaseOutcome) {
                let seen = try await source.purchase(productID: id, appAccountToken: token)
                return .purchased(productID: id, token: token, .success(seen))
            } catch { return .purchased(productID: id, token: token, .failure(error)) }
        case .purchase(let productID, .report(let orderID, let buyer, let outcome)):
            return await backend.report(orderID: orderID, buyer: buyer, outcome)
                .map { .reported(productID: productID, message: $0) }
        case .show: break
        }
        return nil
    }
}
