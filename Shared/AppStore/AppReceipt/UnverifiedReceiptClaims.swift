import Contracts

struct UnverifiedReceiptClaims {
    private(set) var receiptType: String?
    private(set) var bundleId: String?
    private(set) var creationDate: Timestamp?

    init(_ content: ArraySlice<UInt8>) throws(VerificationFailure) {
        var fields = try ReceiptFields(content)
        while let field = try fields.next() {
            switch field.type {
            case 0: receiptType = try field.textUnlessEmpty()
            case 2: bundleId = try field.textUnlessEmpty()
            case 12: creationDate = try field.date()
            default: break
            }
        }
    }
}
