package import Database
package import OrdersCore

// What columns of Orders hold.

extension Fulfilment: ValueConvertible {}

extension AccountToken: ValueConvertible {
    package var storedValue: Value { .text(rawValue) }

    package init?(storedValue: Value) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(text)
    }
}
