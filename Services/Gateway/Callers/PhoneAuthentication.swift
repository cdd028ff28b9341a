import Contracts
import Crypto
import Delivery
import Logging
import NIOConcurrencyHelpers
import Program

/// Tells from its token whose a phone is.
///
/// A token that was verified is remembered by its digest, so that the phone's next request costs no signature. Its
/// times are checked at each request, and it is verified anew when the app's keys have changed.
struct PhoneAuthentication: Sendable {
    /// Most tokens that are remembered.
    static let maximumTokens = 16_384

    private struct App: Sendable {
        let configured: Configuration.App
        let keys: PhoneKeys
        /// Ms.
        let slack: Int64
    }

    private struct Verified: Sendable {
        let bundle: BundleID
        let buyer: BuyerID
        let keyID: String
        let claims: PhoneClaims
        let ringVersion: Int
    }

    private var apps: [BundleID: App] = [:]
    private let verified = NIOLockedValueBox(
        RecentValues<SHA256Digest, Verified>(atMost: Self.maximumTokens)
    )

    /// Of no app.
    init() {}

    /// - Throws: `ConfigurationError` when a key cannot be used.
    init(apps: [Configuration.App], in home: Home, logger: Logger) async throws {
        for (index, app) in apps.enumerated() {
            guard let tokens = app.phoneTokens else { continue }
            let member = "apps[\(index)].phoneTokens"
            let keys = try await PhoneKeys(tokens, named: member, in: home, logger: logger)
            let slack = Int64(tokens.clockSlackSeconds) * 1_000
            self.apps[app.bundleId] = App(configured: app, keys: keys, slack: slack)
        }
    }

    /// The phone with a token, of which `digest` is the SHA-256.
    func phone(
        _ token: Substring,
        _ digest: SHA256Digest,
        at time: ClockReading
    ) async throws(TokenFault) -> Caller {
        if let known = verified.withLockedValue({ $0[digest] }), let app = apps[known.bundle],
            await app.keys.current(at: time.uptime).version == known.ringVersion
        {
            try known.claims.check(at: time.now, slack: app.slack)
            return .phone(app: app.configured, buyer: known.buyer, keyID: known.keyID)
        }
        let (app, found) = try await verify(PhoneToken(token), at: time)
        verified.withLockedValue { $0[digest] = found }
        return .phone(app: app.configured, buyer: found.buyer, keyID: found.keyID)
    }

    private func verify(
        _ token: PhoneToken,
        at time: ClockReading
    ) async throws(TokenFault) -> (App, Verified) {
        let claims = token.claims
        guard let bundle = BundleID(rawValue: claims.app), let app = apps[bundle] else {
            throw .tokenOfUnknownApp
        }
        let ring = await app.keys.current(at: time.uptime)
        guard let key = ring.keys[token.keyID] else { throw .tokenKeyUnknown }
        guard token.algorithm == key.algorithm.rawValue else { throw .tokenAlgorithm }
        guard key.isSignature(token.signature, of: token.signed) else { throw .tokenSignature }
        try claims.check(at: time.now, slack: app.slack)
        guard let buyer = BuyerID(rawValue: claims.subject) else { throw .tokenBuyer }
        let found = Verified(
            bundle: bundle,
            buyer: buyer,
            keyID: token.keyID,
            claims: claims,
            ringVersion: ring.version
        )
        return (app, found)
    }
}
