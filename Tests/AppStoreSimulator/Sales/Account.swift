import Crypto

/// An Apple Account, as the control interface names it and as an app sees it.
enum Account {
    /// Apple's `appTransactionId`: the same for all purchases that an account makes in an app, and no other's.
    ///
    /// Computed, so that it is the same after a restart: 18 digits of SHA-256.
    static func appTransactionId(of account: String, bundleId: String, environment: String) -> String {
        let hash = SHA256.hash(data: Array("\(environment)\n\(bundleId)\n\(account)".utf8))
        let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(100_000_000_000_000_000 + number % 900_000_000_000_000_000)
    }
}
