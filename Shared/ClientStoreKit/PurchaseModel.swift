#if canImport(Combine)
public import Combine

/// The client for SwiftUI: the screens of all products, published.
@MainActor public final class PurchaseModel: ObservableObject {
    /// What the buttons call.
    public nonisolated let client: PurchaseClient
    /// Products that are not here are `ready`.
    @Published public private(set) var screens: [String: PurchaseScreen] = [:]
    /// What can be bought; empty until `loadProducts` has succeeded.
    @Published public private(set) var products: [PurchasableProduct] = []
    /// Whether StoreKit is being asked for what the buyer owns.
    @Published public private(set) var isRestoring = false

    /// Follows nothing yet.
    public init(client: PurchaseClient) { self.client = client }

    /// Follows the client until the task is cancelled; each window may do so, and the client outlives them all.
    public func follow() async { for await screens in await client.states() { self.screens = screens } }

    /// Asks for products and prices; what is known stays where that fails.
    public func loadProducts() async { if let loaded = await client.products() { products = loaded } }

    /// Restores as the client does; nil where it throws: refused, nobody logged in, not begun, or not read.
    @discardableResult public func restore() async -> Int? {
        isRestoring = true
        defer { isRestoring = false }
        do { return try await client.restore() } catch { return nil }
    }

    /// The screen of a product; `ready` where the client has shown none.
    public func screen(of productID: String) -> PurchaseScreen {
        screens[productID] ?? PurchaseScreen(state: .ready)
    }
}
#endif
