import Testing

@testable import CounterfoilClient

/// The shell around the flow, with fakes of everything.
@Suite(.timeLimit(.minutes(5))) struct `The purchase client` {
    /// Runs a client until `body` has seen enough.
    private static func run(
        source: FakeSource = FakeSource(),
        store: any ProofStore = MemoryProofStore(),
        backend: FakeBackend = FakeBackend(),
        clock: FakeClock = FakeClock(),
        login: String? = "ada",
        _ body: @escaping @Sendable (PurchaseClient) async throws -> Void
    ) async throws {
        let client = PurchaseClient(
            source: source,
            store: store,
            backend: backend,
            clock: clock,
            random: { 0 }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            client.begin.finish()
            group.addTask { await client.run(login: login) }
            try await body(client)
            group.cancelAll()
        }
    }

    private static func first<Element: Sendable>(
        of stream: AsyncStream<Element>,
        where isWanted: (Element) -> Bool = { _ in true }
    ) async -> Element? {
        for await element in stream where isWanted(element) { return element }
        return nil
    }

    @Test func `A purchase is kept, sent until it is granted, finished and forgotten`() async throws {
        let source = FakeSource(result: .success(.sample(token: "order-1")))
        let backend = FakeBackend([.lost, .busy, .pending, .granted])
        let (store, clock) = (MemoryProofStore(), FakeClock())
        try await Self.run(source: source, store: store, backend: backend, clock: clock) { client in
            client.buy("coins")
            #expect(await Self.first(of: source.finished) == "1")
            let states = await client.states()
            let last = await Self.first(of: states) { $0["coins"]?.state == .done }
            #expect(last != nil)
            let steps = await Self.first(of: backend.logs) { $0.contains(.finished) }
            #expect(steps?.last == .finished)
        }
        #expect(await backend.submissions.map(\.receiptID) == [nil, nil, nil, "r1"])
        #expect(await clock.slept.starts(with: [1_000, 60_000]))
        #expect(await store.load().isEmpty)
    }

    @Test func `What was kept is sent at launch with the buyer who made it`() async throws {
        let store = MemoryProofStore()
        await store.keep(.proof(.sample(buyer: "ada")))
        let (source, backend) = (FakeSource(), FakeBackend())
        try await Self.run(source: source, store: store, backend: backend, login: "bob") { _ in
            #expect(await Self.first(of: source.finished) == "1")
        }
        let submission = try #require(await backend.submissions.first)
        #expect(submission.purchasedBy == "ada" && submission.caller == "bob")
    }

    @Test func `An unfinished transaction waits for a login, and is sent then`() async throws {
        let (source, backend) = (FakeSource(unfinished: [.sample()]), FakeBackend())
        try await Self.run(source: source, backend: backend, login: nil) { client in
            client.logIn("ada")
            #expect(await Self.first(of: source.finished) == "1")
        }
        #expect(await backend.submissions.map(\.proof.buyer) == ["ada"])
    }

    @Test func `A store that is locked at first is asked until it opens`() async throws {
        let source = FakeSource(unfinished: [.sample()])
        let clock = FakeClock()
        try await Self.run(source: source, store: LockedStore(loads: 3), clock: clock) { _ in
            #expect(await Self.first(of: source.finished) == "1")
        }
        #expect(await clock.slept.count == 3)
    }

    @Test func `A store that never opens keeps nobody waiting, and says so; once it opens all is well`()
        async throws
    {
        let source = FakeSource(unfinished: [.sample()])
        let store = LockedStore(loads: .max)
        let problem = PurchaseOutcome.failed(domain: "CounterfoilClient", code: "cannot-read")
        try await Self.run(source: source, store: store) { client in
            await #expect(throws: problem) { try await client.restore() }
            #expect(await client.products() == nil)
            client.buy("coins")
            await store.open()
            #expect(await Self.first(of: source.finished) == "1")
            let restored = try await client.restore()
            #expect(restored == 0)
            #expect(await client.products()?.count == 1)
        }
    }

    @Test func `A proof that cannot be kept is sent all the same, and finished once it is kept`() async throws
    {
        let (source, backend, clock) = (FakeSource(unfinished: [.sample()]), FakeBackend(), FakeClock())
        try await Self.run(
            source: source,
            store: LockedStore(loads: 1, keeps: 2),
            backend: backend,
            clock: clock
        ) { _ in
            #expect(await Self.first(of: source.finished) == "1")
        }
        #expect(await backend.submissions.count == 3)
    }

    @Test func `A restore hands in what the buyer owns, and says so`() async throws {
        let source = FakeSource(restored: [.sample("7", isRestore: true)])
        let backend = FakeBackend()
        try await Self.run(source: source, backend: backend) { client in
            let count = try await client.restore()
            #expect(count == 1)
            #expect(await Self.first(of: source.finished) == "7")
        }
        #expect(await backend.submissions.map(\.proof.isRestore) == [true])
    }

    @Test func `A cancelled purchase is ready again, and its order is reported`() async throws {
        let backend = FakeBackend()
        try await Self.run(backend: backend) { client in
            client.buy("coins")
            let steps = await Self.first(of: backend.logs)
            #expect(steps == [.ordered, .asked, .cancelled])
            let states = await client.states()
            #expect(await Self.first(of: states) { $0.isEmpty } != nil)
        }
    }

    @Test func `Products come with the store's prices, once somebody is logged in`() async throws {
        try await Self.run(login: nil) { client in
            #expect(await client.products() == nil)
            client.logIn("ada")
            #expect(await client.products()?.map(\.id) == ["coins"])
            client.logOut()
            #expect(await client.products() == nil)
            #expect(await client.canMakePayments())
        }
    }

    @Test func `A client goes on when who started it, and who looked, are gone`() async throws {
        let source = FakeSource(unfinished: [.sample()])
        let client = PurchaseClient(source: source, store: MemoryProofStore(), backend: FakeBackend())
        let window = Task {
            client.start(login: nil)
            for await _ in await client.states() {}
        }
        window.cancel()
        await window.value
        client.logIn("ada")
        #expect(await Self.first(of: source.finished) == "1")
    }

    @Test func `Everybody who looks sees every change`() async throws {
        let source = FakeSource(result: .success(.sample(token: "order-1")))
        try await Self.run(source: source) { client in
            let streams = [await client.states(), await client.states(), await client.states()]
            client.buy("coins")
            for states in streams {
                #expect(await Self.first(of: states) { $0["coins"]?.state == .done } != nil)
            }
        }
    }

    @Test func `What is not finished is seen before anything is bought`() async throws {
        let store = MemoryProofStore()
        await store.keep(.purchase(.sample))
        let source = FakeSource(unfinished: [.sample(token: "order-1")], result: .failure(.deferred))
        let backend = FakeBackend([.verdict("parked", finish: false)])
        try await Self.run(source: source, store: store, backend: backend) { client in
            client.buy("coins")
            let states = await client.states()
            let shown = await Self.first(of: states) { $0["coins"]?.isPaid == true }
            #expect(shown?["coins"]?.state == .needsHelp(code: "parked"))
        }
        #expect(await source.purchases == 0)
    }

    @Test func `A restore says that StoreKit has refused, or that nobody is logged in`() async throws {
        try await Self.run(login: nil) { client in
            let nobody = PurchaseOutcome.failed(domain: "CounterfoilClient", code: "nobodyLoggedIn")
            await #expect(throws: nobody) { try await client.restore() }
        }
    }

    @Test func `Who asks right after start and login waits for the store, and is answered as that login`()
        async throws
    {
        let source = FakeSource(restored: [.sample("7", isRestore: true)])
        let client = PurchaseClient(
            source: source,
            store: LockedStore(loads: 2),
            backend: FakeBackend(),
            clock: FakeClock()
        )
        client.start(login: nil)
        client.logIn("ada")
        async let products = client.products()
        #expect(try await client.restore() == 1)
        #expect(await products?.count == 1)
    }

    @Test func `Before the start nobody waits, and a restore says why`() async throws {
        let store = MemoryProofStore()
        let client = PurchaseClient(source: FakeSource(), store: store, backend: FakeBackend())
        let problem = PurchaseOutcome.failed(domain: "CounterfoilClient", code: "not-started")
        await #expect(throws: problem) { try await client.restore() }
        #expect(await client.products() == nil)
        client.start(login: "ada")
        #expect(await client.products()?.count == 1)
    }

    @Test func `A StoreKit that hangs when it is to list what is unfinished stops no purchase`() async throws
    {
        let source = FakeSource(unfinished: nil, result: .success(.sample(token: "order-1")))
        try await Self.run(source: source, clock: FakeClock(isStoreKitSlow: true)) { client in
            client.buy("coins")
            #expect(await Self.first(of: source.finished) == "1")
        }
    }

    @Test func `What an earlier life has paid is not paid again while StoreKit hangs, but delivered later`()
        async throws
    {
        let store = MemoryProofStore()
        await store.keep(.purchase(.sample))
        let source = FakeSource(unfinished: nil, result: .failure(.cancelled))
        try await Self.run(source: source, store: store, clock: FakeClock(isStoreKitSlow: true)) { client in
            client.buy("coins")
            let states = await client.states()
            let waits = await Self.first(of: states) { $0["coins"]?.state == .needsHelp(code: "not-listed") }
            #expect(waits?["coins"]?.isPaid == false)
            await source.list([.sample(token: "order-1")])
            client.enterForeground()
            #expect(await Self.first(of: source.finished) == "1")
        }
        #expect(await source.purchases == 0)
    }

    @Test func `The fakes for apps play a purchase, and what an earlier life has paid`() async throws {
        let (store, gateway) = (MemoryProofStore(), PlayedGateway(selling: ["coins"], answer: .lost))
        let first = PlayedStoreKit()
        let seller = PurchaseClient(source: first, store: store, backend: gateway, clock: FakeClock())
        seller.start(login: "ada")
        #expect(await seller.products()?.map(\.id) == ["coins"])
        seller.buy("coins")
        let slow = await Self.first(of: await seller.states()) {
            $0["coins"]?.state == .delivering(isSlow: true)
        }
        #expect(slow != nil)
        await gateway.play(PlayedGateway.granted)
        let done = await Self.first(of: await seller.states()) { $0["coins"]?.state == .done }
        #expect(done != nil)
        let sent = await gateway.submissions.map(\.proof.transactionID)
        #expect(await first.finished == [sent[0]])
        let seen = SeenTransaction(transactionID: "9", content: .signedTransaction("a.b.c"))
        let second = PlayedStoreKit(unfinished: [seen], outcome: .cancelled)
        let next = PurchaseClient(source: second, store: store, backend: gateway, clock: FakeClock())
        next.start(login: "ada")
        while await second.finished.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(await gateway.submissions.last?.proof.transactionID == "9")
    }

    @Test func `An answer that a fake holds is waited for, and who dies meanwhile sends the proof again`()
        async throws
    {
        let (store, gateway) = (MemoryProofStore(), PlayedGateway(answer: nil))
        let first = PlayedStoreKit()
        let dying = PurchaseClient(source: first, store: store, backend: gateway, clock: FakeClock())
        let life = Task { await dying.run(login: "ada") }
        dying.buy("coins")
        let id = try #require(await Self.first(of: gateway.arrivals)).proof.transactionID
        life.cancel()
        await life.value
        #expect(await first.finished.isEmpty)
        let second = PlayedStoreKit(unfinished: await first.unfinished())
        let next = PurchaseClient(source: second, store: store, backend: gateway, clock: FakeClock())
        next.start(login: "bob")
        let again = await Self.first(of: gateway.arrivals)
        #expect(again?.proof.buyer == "ada" && again?.caller == "bob")
        #expect(await second.finished.isEmpty, "the answer has not come yet")
        await gateway.play(PlayedGateway.granted)
        while await second.finished.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(await second.finished == [id])
        #expect(await gateway.submissions.count == 2)
    }

    @Test func `No two lives of a fake give out the same ids: neither overwrites what the other has kept`()
        async throws
    {
        let first = PlayedStoreKit(), second = PlayedStoreKit()
        let gateways = [PlayedGateway(), PlayedGateway()]
        let ids = try await [
            first.purchase(productID: "coins", appAccountToken: "a").transactionID,
            first.purchase(productID: "coins", appAccountToken: "b").transactionID,
            second.purchase(productID: "gems", appAccountToken: "a").transactionID,
        ]
        #expect(Set(ids).count == 3)
        #expect(await first.unfinished().map(\.transactionID) == Array(ids.prefix(2)))
        let answers = await [
            gateways[0].order(productID: "coins", buyer: "ada", key: "a"),
            gateways[1].order(productID: "coins", buyer: "ada", key: "a"),
        ]
        #expect(answers[0] != answers[1])
    }

    @Test func `A client runs once: a second run returns at once`() async throws {
        let source = FakeSource(unfinished: [.sample()])
        try await Self.run(source: source) { client in
            #expect(await Self.first(of: source.finished) == "1")
            await client.run(login: "bob")
        }
    }

    @Test(arguments: [("zh-Hans", "您已付款"), ("de", "You have paid")])
    func `Who waits is told that the payment is made`(language: String, beginning: String) {
        #expect(PurchaseScreen.slowDeliveryText(language: language).hasPrefix(beginning))
    }
}
