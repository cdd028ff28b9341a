import Contracts
import Foundation

struct UnverifiedClaims {
    let signingTime: Timestamp?
    let environment: Environment?

    init(_ payload: [UInt8]) throws(VerificationFailure) {
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(payload))
        } catch {
            throw VerificationFailure(.malformed, "the payload is no JSON object")
        }
        signingTime = fields.signingTime?.timestamp
        environment = fields.signingEnvironment.map(Environment.init(rawValue:))
    }

    /// Both facts are on top, in an app transaction under other names, in a notification in its one part.
    ///
    /// A field name may mean something else in another kind: a kind's own fields come first, and fields of
    /// the wrong type are ignored. The payload's decoder reports errors once the payload is known to be
    /// genuine.
    private struct Fields: Decodable {
        private let kind: SignedDataKind?
        private let known: Known

        init(from decoder: any Decoder) throws {
            kind = SignedDataKind(members: try MemberNames(from: decoder).names)
            known = try Known(from: decoder)
        }

        var signingTime: Milliseconds? {
            let signed = known.signedDate?.value
            let created = known.receiptCreationDate?.value
            return kind == .appTransaction ? created ?? signed : signed ?? created
        }

        var signingEnvironment: String? {
            let top = known.environment?.value
            let type = known.receiptType?.value
            return switch kind {
            case .notification: known.part?.environment?.value ?? top ?? type
            case .appTransaction: type ?? top
            case .transaction, .renewalInfo, nil: top ?? type ?? known.part?.environment?.value
            }
        }
    }

    private struct Known: Decodable {
        struct Part: Decodable {
            let environment: IfReadable<String>?
        }

        let signedDate: IfReadable<Milliseconds>?
        let receiptCreationDate: IfReadable<Milliseconds>?
        let environment: IfReadable<String>?
        let receiptType: IfReadable<String>?
        let data: IfReadable<Part>?
        let summary: IfReadable<Part>?
        let appData: IfReadable<Part>?

        var part: Part? { data?.value ?? summary?.value ?? appData?.value }
    }

    private struct IfReadable<Value: Decodable>: Decodable {
        let value: Value?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { value = try container.decode(Value.self) } catch { value = nil }
        }
    }
}
