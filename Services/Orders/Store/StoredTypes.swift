package import Database
package import OrdersCore

extension Fulfilment: ValueConvertible {}

extension AccountToken: ValueConvertible {
    package var storedValue: Value { .text(rawValue) }

    package init?(storedValue: Value) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(text)
    }
}
