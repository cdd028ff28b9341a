import CounterfoilClient
import Glibc
import NIOConcurrencyHelpers

/// The app: it starts the kit, passes on what happens, and says what is on the screen.
struct Phone: Sendable {
    private struct Login {
        var buyer: String
        var token: String
    }

    let executor: PhoneExecutor
    private let output = PhoneOutput()
    private let clock = PhoneClock()
    private let store: PlayedStore
    private let network: PlayedNetwork
    private let login: NIOLockedValueBox<Login>
    private let client: PurchaseClient

    /// A phone with the variables of the protocol.
    ///
    /// - Throws: `WrongStart` where one is missing.
    init(_ environment: [String: String]) throws {
        func variable(_ name: String) throws -> String {
            guard let value = environment["COUNTERFOIL_\(name)"] else {
                throw WrongStart(
                    description: "COUNTERFOIL_\(name) is not set; see Tests/Conformance/README.md"
                )
            }
            return value
        }
        executor = PhoneExecutor { [output] in output.atRest() }
        store = PlayedStore(output: output)
        network = PlayedNetwork(try GatewayAddress(variable("GATEWAY")), executor: executor)
        login = NIOLockedValueBox(Login(buyer: try variable("BUYER"), token: try variable("TOKEN")))
        let backend = GatewayBackend(
            bundleID: try variable("BUNDLE_ID"),
            language: "en",
            transport: network,
            tokens: { [login] buyer, _ in
                login.withLockedValue { $0.buyer == buyer ? $0.token : nil }
            }
        )
        client = PurchaseClient(
            source: store,
            store: FileProofStore(folder: try variable("FILES") + "/proofs"),
            backend: PhoneBackend(gateway: backend, executor: executor),
            clock: clock,
            reachability: network
        )
    }

    /// Lives until its input ends.
    func live() async {
        await withTaskGroup(of: Void.self) { group in
            for await event in PhoneEvent.all() {
                output.take(event)
                clock.advance(to: event.atMs)
                if event.event == "launch" {
                    let buyer = login.withLockedValue { $0.buyer }
                    group.addTask { await client.run(login: buyer) }
                    group.addTask { await showScreens() }
                } else {
                    await pass(event)
                }
            }
            // Whatever is under way is done again in the next life.
            exit(0)
        }
    }

    private func pass(_ event: PhoneEvent) async {
        switch (event.event, event.productId) {
        case ("login", _): logIn(event)
        case ("buy", let productID?): client.buy(productID)
        case ("approvalPending", let productID?): await store.close(productID, .failure(.deferred))
        case ("cancelled", let productID?): await store.close(productID, .failure(.cancelled))
        case ("transaction", _), ("unfinished", _): await store.handOver(event)
        case ("receipt", _): if let receipt = event.appReceipt { await store.take(receipt: receipt) }
        case ("foreground", _): client.enterForeground()
        case ("offline", _): network.goAway()
        case ("online", _): network.isBack()
        // A tick moves the clock and nothing else; and who does not know an event ignores it.
        case (_, _): break
        }
    }

    private func logIn(_ event: PhoneEvent) {
        guard let buyer = event.buyerId, let token = event.token else { return }
        login.withLockedValue { $0 = Login(buyer: buyer, token: token) }
        client.logIn(buyer)
    }

    /// Tells of each product whose screen has changed.
    private func showScreens() async {
        var shown: [String: PurchaseScreen] = [:]
        for await screens in await client.states() {
            for productID in Set(shown.keys).union(screens.keys).sorted()
            where screens[productID] != shown[productID] {
                output.show(screens[productID]?.state ?? .ready, of: productID)
            }
            shown = screens
        }
    }
}
