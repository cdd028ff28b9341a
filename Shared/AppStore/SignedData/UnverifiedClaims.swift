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
        let members = try decoder.container(keyedBy: JSONText.Step.self)
        let kind = SignedDataKind(members: members.allKeys.map(\.stringValue))
        let signed: Milliseconds? = members.readable("signedDate")
        let created: Milliseconds? = members.readable("receiptCreationDate")
        signingTime = (kind == .appTransaction ? created ?? signed : signed ?? created)?.timestamp
        let top: String? = members.readable("environment")
        let type: String? = members.readable("receiptType")
        let parts = ["data", "summary", "appData"].lazy.compactMap { members.readable($0) as Part? }
        let part = parts.first?.environment?.value
        let name =
            switch kind {
            case .notification: part ?? top ?? type
            case .appTransaction: type ?? top
            case .transaction, .renewalInfo, nil: top ?? type ?? part
            }
        environment = name.map(Environment.init(rawValue:))
    }

    private struct Part: Decodable {
        let environment: IfReadable<String>?
    }
}
