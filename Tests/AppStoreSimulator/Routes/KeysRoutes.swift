import Crypto
import Foundation
import Hummingbird

/// `/_control/keys`: keys for the App Store Server API; the first one ends the time of unsigned tokens.
struct KeysRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("keys", use: register)
    }

    private struct Wanted: Decodable {
        let keyId: String?
        let issuerId: String?
        /// PEM of a P-256 key; absent for a new pair, of which the answer has the private half.
        let publicKey: String?
    }

    private struct Answer: Encodable {
        let keyId: String
        let issuerId: String
        let privateKey: String?
    }

    @Sendable private func register(_ request: Request, _ context: SimulatorContext) async throws -> Response
    {
        let wanted: Wanted = try await JSONBody.read(request)
        let keyId = wanted.keyId ?? String(store.chance.newUUID().prefix(8)).uppercased()
        let issuerId = wanted.issuerId ?? store.chance.newUUID()
        guard let pem = wanted.publicKey else {
            let key = P256.Signing.PrivateKey()
            let entry = AppDirectory.Key(publicKey: key.publicKey, issuerId: issuerId)
            await store.apps.register(entry, keyId: keyId)
            return try .json(Answer(keyId: keyId, issuerId: issuerId, privateKey: key.pemRepresentation))
        }
        let entry = AppDirectory.Key(publicKey: try publicKey(pem), issuerId: wanted.issuerId)
        await store.apps.register(entry, keyId: keyId)
        return try .json(Answer(keyId: keyId, issuerId: issuerId, privateKey: nil))
    }

    private func publicKey(_ pem: String) throws(Problem) -> P256.Signing.PublicKey {
        do {
            return try P256.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw Problem("publicKey is not the PEM of a P-256 key")
        }
    }
}
