/// The app's side of purchases: make one at launch, and let `run` go on until the process ends.
///
/// It guarantees that a payment that StoreKit has told of is kept before it is sent, is sent until the gateway has said
/// `"finish": true`, and is finished then and not earlier, whatever dies in between.
public actor PurchaseClient {
    private enum Turn: Sendable {
        case input(PurchaseFlow.Event?)
        case done(PurchaseFlow.Event?)
    }

    private enum StoreWork: Sendable {
        case keep(KeptRecord, then: @Sendable (_ isDurable: Bool) -> PurchaseFlow.Event)
        case forget(key: String)
    }

    private static let loadPauseMilliseconds: Int64 = 1_000

    private let source: any TransactionSource
    private let store: any ProofStore
    private let backend: any PurchaseBackend
    private let clock: any PurchaseClock
    private let reachability: (any Reachability)?
    private let random: @Sendable () -> Double
    private let input: AsyncStream<PurchaseFlow.Event>
    private let send: AsyncStream<PurchaseFlow.Event>.Continuation
    private let storeWork: AsyncStream<StoreWork>
    private let queueStoreWork: AsyncStream<StoreWork>.Continuation
    private var flow = PurchaseFlow()
    private var logs = StepLogs()
    private var screens: [String: PurchaseScreen] = [:]
    private var observers: [AsyncStream<[String: PurchaseScreen]>.Continuation] = []
    private var hasRun = false

    /// Each part has a fake; without `reachability` the other occasions have to do; `random` is from 0 to 1.
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
        (input, send) = AsyncStream.makeStream()
        (storeWork, queueStoreWork) = AsyncStream.makeStream()
    }

    // MARK: What the app calls

    /// Listens, sends and finishes until the task is cancelled; call it once, first thing at launch.
    ///
    /// `login` is who is logged in. With nobody logged in proofs are kept, and sent after the login.
    public func run(login: String?) async {
        guard !hasRun else { return }
        hasRun = true
        // Before anything else: what StoreKit tells while nobody listens comes late.
        await withTaskGroup(of: Turn.self) { group in
            group.addTask { [source, send] in
                await source.observe { send.yield(.seen($0)) }
                return .done(nil)
            }
            if let recoveries = reachability?.recoveries() {
                group.addTask { [send] in
                    for await _ in recoveries { send.yield(.networkBack) }
                    return .done(nil)
                }
            }
            group.addTask { await self.workOnStore() }
            guard let records = await load() else { return group.cancelAll() }
            handle(.launched(records, login: login), &group)
            askForUnfinished(&group)
            group.addTask { await self.nextInput() }
            // What is cut off by the end is done again at the next launch.
            for await turn in group where !Task.isCancelled {
                switch turn {
                case .input(nil): group.cancelAll()
                case .input(let event?):
                    handle(event, &group)
                    if event == .foreground { askForUnfinished(&group) }
                    group.addTask { await self.nextInput() }
                case .done(let event): if let event { handle(event, &group) }
                }
            }
        }
    }

    /// Starts a purchase for who is logged in; it does nothing while one of the same product is under way.
    ///
    /// What becomes of it is on the screen. Money moves only after the purchase is kept.
    public nonisolated func buy(_ productID: String) { send.yield(.buy(productID: productID)) }

    /// Says who is logged in; every kept proof is sent, each with the buyer who made it.
    public nonisolated func logIn(_ buyer: String) { send.yield(.login(buyer)) }

    /// Says that nobody is logged in; nothing is sent, and everything is kept.
    public nonisolated func logOut() { send.yield(.login(nil)) }

    /// Says that the app is in the foreground again; every kept proof is sent.
    public nonisolated func enterForeground() { send.yield(.foreground) }

    /// Hands in what the buyer owns with `intent: restore`; the gateway decides whose it is.
    public nonisolated func restore() { send.yield(.restore) }

    /// Says that the buyer has read the screen of a product: it is `ready` again, unless it is being delivered.
    public nonisolated func acknowledge(_ productID: String) {
        send.yield(.acknowledged(productID: productID))
    }

    /// The screens of all products that are not `ready`, now and after each change; the newest one alone is kept.
    public func states() -> AsyncStream<[String: PurchaseScreen]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
            observer.yield(screens)
            observers.append(observer)
        }
    }

    /// What is on sale and has a price; nil where the gateway could not be asked, or nobody is logged in.
    public func products() async -> [PurchasableProduct]? {
        guard let buyer = flow.caller, let catalog = await backend.products(buyer: buyer) else {
            return nil
        }
        let prices = await source.prices(of: catalog.map(\.productId))
        return PurchasableProduct.join(catalog, prices, now: clock.now())
    }

    /// Whether this phone may pay at all; if not, offer nothing.
    public func canMakePayments() async -> Bool { await source.canMakePayments() }

    // MARK: What the flow wants done

    private func load() async -> [KeptRecord]? {
        while !Task.isCancelled {
            // A phone that was not unlocked since its start cannot read the keychain yet: without what is kept nobody
            // knows whose a transaction is.
            do { return try await store.load() } catch {
                await clock.pause(milliseconds: Self.loadPauseMilliseconds)
            }
        }
        return nil
    }

    private func nextInput() async -> Turn {
        for await event in input { return .input(event) }
        return .input(nil)
    }

    private func askForUnfinished(_ group: inout TaskGroup<Turn>) {
        group.addTask { [source, send] in
            for transaction in await source.unfinished() { send.yield(.seen(transaction)) }
            return .done(nil)
        }
    }

    /// One after another: what is forgotten must not take away what was kept after it.
    private func workOnStore() async -> Turn {
        for await work in storeWork {
            switch work {
            case .keep(let record, let then):
                do {
                    try await store.keep(record)
                    send.yield(then(true))
                } catch {
                    send.yield(then(false))
                }
            case .forget(let key):
                // What stays is sent again at the next launch, and is answered as before.
                do { try await store.forget(key: key) } catch {}
            }
        }
        return .done(nil)
    }

    private func handle(_ event: PurchaseFlow.Event, _ group: inout TaskGroup<Turn>) {
        let before = flow
        let effects = flow.apply(event, chance: random())
        // An order is known after it was made, a proof until it is forgotten.
        let now = clock.now()
        let isOrder = if case .ordered = event { true } else { false }
        if let report = logs.note(event, of: isOrder ? flow : before, at: now) {
            group.addTask { [backend] in
                await backend.log(orderID: report.orderID, buyer: report.buyer, report.entries)
                return .done(nil)
            }
        }
        var hasShown = false
        for effect in effects {
            if case .show(let productID, let screen) = effect {
                screens[productID] = screen.state == .ready ? nil : screen
                hasShown = true
            } else if let work = Self.storeWork(of: effect) {
                queueStoreWork.yield(work)
            } else {
                group.addTask { .done(await self.perform(effect)) }
            }
        }
        guard hasShown else { return }
        observers.removeAll { observer in
            if case .terminated = observer.yield(screens) { true } else { false }
        }
    }

    private static func storeWork(of effect: PurchaseFlow.Effect) -> StoreWork? {
        switch effect {
        case .proof(let id, let turn, .keep(let proof)):
            return .keep(.proof(proof)) { .proof(transactionID: id, .kept(turn: turn, isDurable: $0)) }
        case .proof(let id, _, .forget): return .forget(key: KeptRecord.proofKey(id))
        case .purchase(let productID, .keep(let purchase)):
            return .keep(.purchase(purchase)) { .purchaseKept(productID: productID, isDurable: $0) }
        case .purchase(_, .forget(let purchase)): return .forget(key: KeptRecord.purchase(purchase).key)
        case .proof, .purchase, .restore, .show: return nil
        }
    }

    /// Does what takes time; the event that answers it.
    private func perform(_ effect: PurchaseFlow.Effect) async -> PurchaseFlow.Event? {
        switch effect {
        case .proof(let id, let turn, .send(let submission)):
            return .proof(transactionID: id, .answered(turn: turn, await backend.submit(submission)))
        case .proof(let id, let turn, .wait(let milliseconds)):
            await clock.pause(milliseconds: milliseconds)
            return .proof(transactionID: id, .due(turn: turn))
        case .proof(let id, let turn, .finish):
            await source.finish(transactionID: id)
            return .proof(transactionID: id, .finished(turn: turn))
        case .proof(_, _, .refreshReceipt): return await source.refreshedReceipt().map { .seen($0) }
        case .purchase(let productID, .order(let buyer)):
            let id = "\(clock.now())-\(UInt64.random(in: .min ... .max))"
            let answer = await backend.order(productID: productID, buyer: buyer, key: id)
            return .ordered(productID: productID, answer, id: id, now: clock.now())
        case .purchase(let productID, .purchase(let token)):
            let result = await source.purchase(productID: productID, appAccountToken: token)
            return .purchased(productID: productID, result)
        case .purchase(let productID, .report(let orderID, let buyer, let outcome)):
            return await backend.report(orderID: orderID, buyer: buyer, outcome)
                .map { .reported(productID: productID, message: $0) }
        case .restore:
            for transaction in await source.restored() { send.yield(.seen(transaction)) }
            return nil
        case .proof(_, _, .keep), .proof(_, _, .forget), .purchase(_, .keep), .purchase(_, .forget), .show:
            return nil
        }
    }
}
