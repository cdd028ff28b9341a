import Contracts
import FoundationEssentials

struct UnverifiedClaims: Decodable {
    let signingTime: Timestamp?
    let environment: Environment?

    init(_ payload: [UInt8]) throws(VerificationFailure) {
        do {
            self = try EventDecoder().decode(Self.self, from: payload)
        } catch {
            throw VerificationFailure(.malformed, "the payload is no JSON object")
        }
    }

    /// Both facts are on top, in an app transaction under other names, in a notification in its one part.
    ///
    /// A field name may mean something else in another kind: a kind's own fields come first, and fields of
    /// the wrong type are ignored. The payload's decoder reports errors once the payload is known to be
    /// genuine.
    init(from decoder: any Decoder) throws {
        let kind = SignedDataKind(members: try MemberNames(from: decoder).names)
        let known = try Known(from: decoder)
        let signed = known.signedDate?.value
        let created = known.receiptCreationDate?.value
        signingTime = (kind == .appTransaction ? created ?? signed : signed ?? created)?.timestamp
        let top = known.environment?.value
        let type = known.receiptType?.value
        let part = known.part?.environment?.value
        let name =
            switch kind {
            case .notification: part ?? top ?? type
            case .appTransaction: type ?? top
            case .transaction, .renewalInfo, nil: top ?? type ?? part
            }
        environment = name.map(Environment.init(rawValue:))
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
}

/// A value, or nothing where there is one of another type.
struct IfReadable<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { value = try container.decode(Value.self) } catch { value = nil }
    }
}
