package import Contracts
import Crypto
import FoundationEssentials

/// Somebody who looks after players, with a key of their own.
package struct Operator: Codable, Hashable, Sendable {
    /// Bytes of a name.
    package static let nameBytes = 1...64

    /// What records say of the operator.
    package let id: OperatorID
    package let name: String
    package let role: OperatorRole
    /// SHA-256 of the key, in hexadecimal; the key itself is stored nowhere.
    package let digest: String
    package let addedAt: Timestamp
    /// Nil while the key can be used.
    package var revokedAt: Timestamp?

    package init(id: OperatorID, name: String, role: OperatorRole, key: String, addedAt: Timestamp) {
        (self.id, self.name, self.role, self.addedAt) = (id, name, role, addedAt)
        digest = Self.digest(of: key)
    }

    /// SHA-256 of a key, in hexadecimal.
    package static func digest(of key: some StringProtocol) -> String {
        SHA256.hash(data: Array(key.utf8)).hexadecimal
    }
}
