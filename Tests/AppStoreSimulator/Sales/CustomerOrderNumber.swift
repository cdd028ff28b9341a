/// The order number on a customer's invoice, by which Look Up Order ID finds what was bought.
///
/// It is the transaction's number in another notation, so that no index of it is needed.
enum CustomerOrderNumber {
    private static let prefix = "MK"

    static func of(_ transactionId: String) -> String? {
        UInt64(transactionId).map { prefix + String($0, radix: 36, uppercase: true) }
    }

    static func transactionId(_ number: String) -> String? {
        guard number.hasPrefix(prefix), let id = UInt64(number.dropFirst(prefix.count), radix: 36) else {
            return nil
        }
        return String(id)
    }
}
