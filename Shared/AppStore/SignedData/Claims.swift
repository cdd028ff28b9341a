import Contracts
import Foundation

/// The two facts that decide how a payload of any kind is checked, before anything says that it is genuine.
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
        signingTime = fields.signingTime?.count
        environment = fields.signingEnvironment.map(Environment.init(rawValue:))
    }

    /// Where the kinds keep them: on top, in an app transaction under other names, in a notification in
    /// whichever part it has.
    private struct Fields: Decodable {
        struct Part: Decodable {
            let environment: String?
        }

        let signedDate: Milliseconds?
        let receiptCreationDate: Milliseconds?
        let environment: String?
        let receiptType: String?
        let data: Part?
        let summary: Part?
        let appData: Part?

        var signingTime: Milliseconds? { signedDate ?? receiptCreationDate }
        var signingEnvironment: String? {
            environment ?? receiptType ?? (data ?? summary ?? appData)?.environment
        }
    }
}
