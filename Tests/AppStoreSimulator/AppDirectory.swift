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
    /// By their ids; while there are none, a bearer token needs no signature.
    private(set) var keys: [String: Key] = [:]
    /// Apple Accounts that are no more: verifyReceipt answers 21010.
    private(set) var deletedAccounts: Set<String> = []

    func set(bundleId: String, appAppleId: Int64?, sharedSecret: String?) {
        if let appAppleId { appAppleIds[bundleId] = appAppleId }
        if let sharedSecret { sharedSecrets[bundleId] = sharedSecret.isEmpty ? nil : sharedSecret }
    }

    func register(_ key: Key, keyId: String) { keys[keyId] = key }

    func delete(account: String) { deletedAccounts.insert(account) }

    func appAppleId(of bundleId: String) -> Int64 { appAppleIds[bundleId] ?? Self.standardAppAppleId }

    func sharedSecret(of bundleId: String) -> String? { sharedSecrets[bundleId] }
}
