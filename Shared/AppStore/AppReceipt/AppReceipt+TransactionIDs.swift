package import Contracts

extension AppReceipt {
    /// The transaction ids of an unverified receipt in their order, Xcode's `0` included.
    ///
    /// Use them only to ask Apple: anybody can write a receipt with any id. A row without an id has its
    /// original's.
    ///
    /// - Throws: `tooLarge`, `malformed`.
    package static func transactionIDs(
        unverified receipt: [UInt8]
    ) throws(VerificationFailure) -> [TransactionID] {
        do throws(VerificationFailure) {
            var ids: [TransactionID] = []
            var fields = try ReceiptFields(ReceiptEnvelope(receipt).content)
            while let field = try fields.next() {
                if field.type == 17, let id = try transactionID(in: field.value) { ids.append(id) }
            }
            return ids
        } catch {
            throw error.ofUnknownOrigin
        }
    }

    private static func transactionID(in row: ArraySlice<UInt8>) throws(VerificationFailure) -> TransactionID?
    {
        var own: TransactionID?
        var original: TransactionID?
        var fields = try ReceiptFields(row)
        while let field = try fields.next() {
            switch field.type {
            case 1703: own = try TransactionID(rawValue: field.text())
            case 1705: original = try TransactionID(rawValue: field.text())
            default: break
            }
        }
        return own ?? original
    }
}
