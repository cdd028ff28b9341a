/// How Apple is asked: what an app needs for it, and how often what was missed is looked for.
extension Configuration {
    /// How often Apple is asked for what it could not deliver.
    package struct Recovery: Encodable, Hashable, Sendable {
        /// The minutes between two rounds when nothing is said.
        package static let standardMinutes = 10
        /// How many minutes may lie between two rounds: Apple keeps what it could not deliver for 180 days.
        package static let minutes = 1...1_440

        /// The minutes between two rounds.
        package var everyMinutes: Int

        package init(everyMinutes: Int = standardMinutes) { self.everyMinutes = everyMinutes }
    }

    /// The key that opens Apple's App Store Server API for one app; App Store Connect makes it.
    package struct AppStoreServer: Encodable, Hashable, Sendable {
        /// How many calls a second may be allowed.
        package static let callRates = 1...1_000

        package var issuerId: String
        package var keyId: String
        /// The file of the key, `AuthKey_<keyId>.p8` as Apple names it; relative to the home.
        package var privateKey: String
        /// Calls a second, instead of Apple's limit of the endpoints that have 50; nil: Apple's limit.
        package var callsPerSecond: Int?

        package init(issuerId: String, keyId: String, privateKey: String, callsPerSecond: Int? = nil) {
            self.issuerId = issuerId
            self.keyId = keyId
            self.privateKey = privateKey
            self.callsPerSecond = callsPerSecond
        }
    }

    /// Says that Apple's `verifyReceipt` may be asked about receipts of an app.
    package struct VerifyReceipt: Encodable, Hashable, Sendable {
        /// The longest shared secret, in characters; Apple's have 32.
        package static let maximumSecretLength = 128

        /// The app's shared secret of App Store Connect; receipts with subscriptions need it.
        package var sharedSecret: String?

        package init(sharedSecret: String? = nil) { self.sharedSecret = sharedSecret }
    }
}
