import Contracts
import Crypto
import Delivery
import HTTPTypes
import Program

/// Authenticates servers by their app's bearer key, phones by their token, and notification hints by Apple's shared
/// secret.
///
/// Every secret is compared, as its SHA-256 digest, so that timing says nothing about a secret.
struct Authentication: Sendable {
    private static let scheme = "bearer "
    private let keys: [(digest: SHA256Digest, caller: Caller)]
    private let sharedSecrets: [BundleID: SHA256Digest]
    /// Without it no phone is known.
    var phones = PhoneAuthentication()

    init(apps: [Configuration.App]) {
        keys = apps.flatMap { app in
            app.keys.map { (Self.digest($0.secret), .serverKey(app: app, keyID: $0.id)) }
        }
        let secrets = apps.compactMap { app in
            app.verifyReceipt?.sharedSecret.map { (app.bundleId, Self.digest($0)) }
        }
        sharedSecrets = Dictionary(secrets) { first, _ in first }
    }

    /// The server whose key a request carries, or the phone whose token; 401 without either.
    ///
    /// Only of a token the time matters.
    func caller(
        _ headers: HTTPFields,
        at time: () -> ClockReading
    ) async throws(Problem) -> Caller {
        guard let credentials = headers.value(of: .authorization),
            credentials.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { throw .unauthorized }
        let secret = credentials.dropFirst(Self.scheme.count)
        let digest = Self.digest(secret)
        var known: Caller?
        for key in keys where key.digest == digest { known = key.caller }
        if let known { return known }
        guard PhoneToken.isOne(secret) else { throw .unauthorized }
        do throws(TokenFault) {
            return try await phones.phone(secret, digest, at: time())
        } catch {
            throw .unauthorized(error)
        }
    }

    func isSharedSecret(_ password: String?, of bundle: BundleID) -> Bool {
        guard let digest = sharedSecrets[bundle], let password else { return false }
        return digest == Self.digest(password)
    }

    private static func digest(_ secret: some StringProtocol) -> SHA256Digest {
        SHA256.hash(data: Array(secret.utf8))
    }
}
