import NIOConcurrencyHelpers

/// A payment at a phone's StoreKit.
struct Sale: Sendable {
    let id: UInt64
    let product: String
    let token: String?
    let proof: String

    /// What StoreKit tells of it.
    func event(_ name: String) -> KitEvent {
        var event = KitEvent(name, product: product)
        event.transactionId = String(id)
        event.appAccountToken = token
        event.signedTransaction = proof
        return event
    }
}

/// What one customer has paid, whatever becomes of the phone.
final class Sales: Sendable {
    private let state = NIOLockedValueBox((all: [Sale](), isRefused: false))

    var all: [Sale] { state.withLockedValue { $0.all } }
    /// Whether the phone has said that this cannot be bought now.
    var isRefused: Bool { state.withLockedValue { $0.isRefused } }

    func add(_ sale: Sale) { state.withLockedValue { $0.all.append(sale) } }

    func refuse() { state.withLockedValue { $0.isRefused = true } }
}
