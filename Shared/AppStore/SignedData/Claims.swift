import Contracts
import Foundation

/// The two fields that decide how a payload is checked, before anything says that it is genuine.
struct Claims {
    /// Milliseconds since 1970; nil where the payload does not say.
    let signingTime: Int64?
    let environment: Environment?

    init(_ payload: [UInt8]) throws(VerificationFailure) {
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(payload))
        } catch {
            throw VerificationFailure(.malformed, "the payload is no JSON object of Apple's shape")
        }
        if let signedDate = fields.signedDate {
            guard let time = Int64(exactly: signedDate.rounded(.towardZero)) else {
                throw VerificationFailure(.malformed, "signedDate is no date")
            }
            signingTime = time
        } else {
            signingTime = nil
        }
        environment = fields.environment.map(Environment.init(rawValue:))
    }

    private struct Fields: Decodable {
        let signedDate: Double?
        let environment: String?
    }
}
