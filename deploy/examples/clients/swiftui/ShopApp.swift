// A shop of one screen. It needs the package CounterfoilClient and, of yours, `StudioLogin`: who is logged in, and the
// token that your server signs for that buyer.
#if canImport(SwiftUI) && canImport(StoreKit)
import CounterfoilClient
import Foundation
import StoreKit
import SwiftUI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@main struct ShopApp: App {
    @StateObject private var model: PurchaseModel
    @Environment(\.scenePhase) private var phase

    init() {
        let client = Shop.makeClient()
        // First thing at launch, and not in a view's task: it has to outlive every window, and begins without one.
        client.start(login: nil)
        _model = StateObject(wrappedValue: PurchaseModel(client: client))
    }

    var body: some Scene {
        WindowGroup {
            ShopView(model: model)
                .task {
                    guard let buyer = await StudioLogin.shared.buyer else { return }
                    model.client.logIn(buyer)
                    // After each login: the catalog is asked for with the buyer's token.
                    await model.loadProducts()
                }
                .task { await model.follow() }
                .onChange(of: phase) { phase in
                    if phase == .active { model.client.enterForeground() }
                }
        }
    }
}

/// How the parts of the client are put together.
enum Shop {
    static let bundleID = "com.example.game"
    static let gateway = "https://pay.example.com"

    @MainActor static func makeClient() -> PurchaseClient {
        guard let address = URL(string: gateway) else { preconditionFailure("the address is a constant") }
        var backend = GatewayBackend(
            bundleID: bundleID,
            language: Locale.preferredLanguages.first ?? "en",
            transport: URLSessionTransport(gateway: address),
            tokens: { buyer, refused in await StudioLogin.shared.token(of: buyer, insteadOf: refused) }
        )
        // What failed on the way to the gateway, for you: it has no token and no proof in it.
        backend.diagnostics = { print("purchases:", $0) }
        return PurchaseClient(
            source: StoreKitSource(),
            store: KeychainProofStore(service: "\(bundleID).purchases"),
            backend: backend,
            reachability: NetworkReachability()
        )
    }
}

struct ShopView: View {
    @ObservedObject var model: PurchaseModel

    var body: some View {
        List {
            ForEach(model.products) { product in
                ProductRow(
                    product: product,
                    screen: model.screen(of: product.id),
                    buy: { model.client.buy(product.id) },
                    read: { model.client.acknowledge(product.id) }
                )
            }
            Button(model.isRestoring ? "Restoring" : "Restore purchases") {
                Task { await model.restore() }
            }
            .disabled(model.isRestoring)
        }
    }
}

/// One product: every state of a purchase has its own row.
struct ProductRow: View {
    let product: PurchasableProduct
    let screen: PurchaseScreen
    let buy: @MainActor () -> Void
    let read: @MainActor () -> Void

    var body: some View {
        HStack {
            Text(product.price.displayName)
            Spacer()
            switch screen.state {
            case .ready:
                Button(product.price.displayPrice, action: buy)
            case .ordering, .paying:
                ProgressView("Buying")
            case .waitingForApproval:
                Text("Waiting for approval")
                Button("OK", action: read)
            case .delivering(isSlow: false):
                ProgressView("Delivering")
            case .delivering(isSlow: true):
                // Never offer to buy again here: the buyer has paid.
                Text(PurchaseScreen.slowDeliveryText(language: Locale.preferredLanguages.first ?? "en"))
            case .done:
                Text("Delivered")
                Button("OK", action: read)
            case .alreadyOwned:
                Text("You have it")
            // A payment that failed can be tried again after OK; what is paid stays, and is not paid again.
            case .needsHelp(let code):
                VStack {
                    // In the phone's language. `screen.detail` is English and for support: no buyer is shown it.
                    if let message = screen.message { Text(message) }
                    Text("Please tell our support this code: \(code)")
                }
                Button("OK", action: read).disabled(screen.isPaid)
            }
        }
    }
}

/// The login of your studio: put your own in its place.
actor StudioLogin {
    static let shared = StudioLogin()

    private var tokens: [String: String] = [:]

    /// Who is logged in, as your server knows it; nil for nobody.
    ///
    /// Call `logIn` and `logOut` of the client when that changes.
    var buyer: String? { nil }

    /// A short-lived token with this buyer as `sub`, which your server signs; none of who is logged out.
    func token(of buyer: String, insteadOf refused: String?) async -> String? {
        guard buyer == self.buyer else { return nil }
        if let known = tokens[buyer], known != refused { return known }
        guard let url = URL(string: "https://login.example.com/phone-token") else { return nil }
        do {
            let (body, _) = try await URLSession.shared.data(from: url)
            tokens[buyer] = String(decoding: body, as: UTF8.self)
        } catch {
            // Without a token nothing is sent, and nothing is lost: the client tries again.
            return nil
        }
        return tokens[buyer]
    }
}
#endif
