import Crypto

/// What App Store Connect knows about the apps, as it was told through the control interface.
///
/// An app that it was told nothing about is served all the same: with a standard number, without a secret,
/// and for any bearer token of the right shape.
actor AppDirectory {
    /// Apple's number of an app for which no other was set.
    static let standardAppAppleId: Int64 = 1_234_567_890

    /// A key that may sign bearer tokens.
    struct Key: Sendable {
        let publicKey: P256.Signing.PublicKey
        let issuerId: String?
    }

    private var appAppleIds: [String: Int64] = [:]
    private var sharedSecrets: [String: String] = [:]
    private var keys: [String: Key] = [:]
    private var deletedAccounts: Set<String> = []

    func set(bundleId: String, appAppleId: Int64?, sharedSecret: String?) {
        if let appAppleId { appAppleIds[bundleId] = appAppleId }
        if let sharedSecret { sharedSecrets[bundleId] = sharedSecret.isEmpty ? nil : sharedSecret }
    }

    /// Registers a key; from then on a bearer token needs the signature of a registered one.
    func register(_ key: Key, keyId: String) { keys[keyId] = key }

    /// Notes that an Apple Account was deleted: verifyReceipt answers 21010.
    func delete(account: String) { deletedAccounts.insert(account) }

    func isDeleted(_ account: String) -> Bool { deletedAccounts.contains(account) }

    func appAppleId(of bundleId: String) -> Int64 { appAppleIds[bundleId] ?? Self.standardAppAppleId }

    func sharedSecret(of bundleId: String) -> String? { sharedSecrets[bundleId] }

    /// The key of this id; nil when there is none, and when there are none at all.
    func key(_ keyId: String) -> Key? { keys[keyId] }

    var hasKeys: Bool { !keys.isEmpty }
}
