import Contracts

/// A transaction to show, even without a payment's essential fields, which `SignedTransaction` requires.
struct TransactionPayload: Decodable {
    private enum CodingKeys: CodingKey { case bundleId, environment, signedDate }

    let bundleId: String?
    let environment: String?
    let signedDate: Milliseconds?

    /// Refuses a field of the wrong type, but not a missing one.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        bundleId = try fields.decodeIfPresent(String.self, forKey: .bundleId)
        environment = try fields.decodeIfPresent(String.self, forKey: .environment)
        signedDate = try fields.decodeIfPresent(Milliseconds.self, forKey: .signedDate)
        do { _ = try SignedTransaction(from: decoder) } catch DecodingError.keyNotFound {}
    }
}

extension TransactionPayload: SignedPayload {
    var signingTime: Timestamp? { signedDate?.timestamp }
    var origin: SignedOrigin { SignedOrigin(.transaction, bundleId: bundleId, environment: environment) }
}
