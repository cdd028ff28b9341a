import Contracts
import FoundationEssentials

/// The operators of a home, revoked ones too: `operators.json`, which `counterfoil operator` writes.
///
/// Who was revoked stays, so that records go on naming somebody.
package struct OperatorRegister: Codable, Hashable, Sendable {
    package var operators: [Operator]

    package init(_ operators: [Operator] = []) { self.operators = operators }

    /// The operators of a home; none where nobody was added.
    ///
    /// - Throws: `ConfigurationError` when the file cannot be read.
    package init(of home: Home) throws(ConfigurationError) {
        guard FileManager.default.fileExists(atPath: home.operatorsFile) else {
            self.init()
            return
        }
        let advice = "add somebody with `counterfoil operator add`"
        let bytes = try ConfigurationFile.contents(home.operatorsFile, otherwise: advice)
        self = try ConfigurationFile.decode(Self.self, from: bytes, file: home.operatorsFile)
    }

    /// Whoever may use a key with this digest; every digest is compared, so that timing says nothing.
    package func active(digest: String) -> Operator? {
        operators.reduce(nil) { found, one in
            one.digest == digest && one.revokedAt == nil ? one : found
        }
    }
}
