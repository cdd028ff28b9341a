package import Contracts
package import Domain
import FoundationEssentials

extension Configuration {
    /// One app whose purchases are handled.
    package struct App: Codable, Equatable, Sendable {
        package var bundleId: BundleID
        /// Apple's number for the app; needed for Production only.
        package var appAppleId: Int64?
        package var environments: [Environment] = [.production, .sandbox]
        package var sandbox = SandboxPolicy.separate
        package var keys: [Key]
        /// The most requests of the app that one gateway takes; nil: no limit.
        package var requestsPerSecond: Int?
        package var webhook: Webhook?
        /// Nil: Apple's App Store Server API is not called.
        package var appStoreServer: AppStoreServer?
        /// Nil: Apple's `verifyReceipt` is not called.
        package var verifyReceipt: VerifyReceipt?
        /// The versions that were shipped, as app receipts state them; nil: any.
        package var versions: [String]?
        /// Nil: phones do not connect by themselves.
        package var phoneTokens: PhoneTokens?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case bundleId, appAppleId, environments, sandbox, keys, requestsPerSecond, webhook, appStoreServer
            case verifyReceipt, versions, phoneTokens
        }

        package init(bundleId: BundleID, keys: [Key]) {
            self.bundleId = bundleId
            self.keys = keys
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            bundleId = try members.decode(BundleID.self, forKey: .bundleId)
            appAppleId = try members.optional(.appAppleId, in: 1...Int64.max)
            environments = try members.optional(.environments) ?? environments
            sandbox = try members.optional(.sandbox) ?? sandbox
            keys = try members.decode([Key].self, forKey: .keys)
            requestsPerSecond = try members.optional(.requestsPerSecond, in: 1...100_000)
            webhook = try members.optional(.webhook)
            appStoreServer = try members.optional(.appStoreServer)
            verifyReceipt = try members.optional(.verifyReceipt)
            versions = try members.optional(.versions)
            phoneTokens = try members.optional(.phoneTokens)
            if let unknown = environments.firstIndex(where: { ![.production, .sandbox].contains($0) }) {
                let problem = "is \"\(environments[unknown])\", but must be \"Production\" or \"Sandbox\""
                throw decoder.fault(problem, at: .member("environments"), .element(unknown))
            }
            guard !environments.isEmpty else {
                throw members.fault("names no environment; add \"Production\"", at: .environments)
            }
            guard !keys.isEmpty else {
                throw members.fault("names no key; add one, or nobody can reach the app", at: .keys)
            }
            if let versions,
                versions.isEmpty || !versions.allSatisfy({ $0.isPrintable(bytes: Limits.versionBytes) })
            {
                let problem =
                    "must name versions of 1 to 64 bytes; write \"2.3.1\" as your receipts do, or remove it"
                throw members.fault(problem, at: .versions)
            }
            guard Set(keys.map(\.id)).count == keys.count else {
                throw members.fault("names one key id twice; rename one", at: .keys)
            }
        }
    }

    /// An API key of one app; `secret` is the bearer token.
    package struct Key: Codable, Hashable, Sendable {
        package var id: String
        package var secret: String
        /// The most requests under the key that one gateway takes; nil: no limit.
        package var requestsPerSecond: Int?

        private enum CodingKeys: String, CodingKey, CaseIterable { case id, secret, requestsPerSecond }

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            id = try members.decode(String.self, forKey: .id)
            secret = try members.secret(.secret)
            requestsPerSecond = try members.optional(.requestsPerSecond, in: 1...100_000)
            guard !id.isEmpty else { throw members.fault("is empty; name the key", at: .id) }
        }
    }

    /// The endpoint of the app's backend that receives changes.
    package struct Webhook: Codable, Hashable, Sendable {
        package var url: String
        package var secret: String
        /// The secret before it, by which webhooks are signed as well, so that it can be changed.
        package var formerSecret: String?

        /// Those by which each webhook is signed.
        package var secrets: [String] { [secret, formerSecret].compactMap(\.self) }

        private enum CodingKeys: String, CodingKey, CaseIterable { case url, secret, formerSecret }

        package init(url: String, secret: String, formerSecret: String? = nil) {
            (self.url, self.secret, self.formerSecret) = (url, secret, formerSecret)
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            url = try members.decode(String.self, forKey: .url)
            secret = try members.secret(.secret)
            formerSecret = members.contains(.formerSecret) ? try members.secret(.formerSecret) : nil
            guard secret != formerSecret else {
                let problem = "is the present secret; write the one before it, or nothing"
                throw members.fault(problem, at: .formerSecret)
            }
            guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme),
                let host = parsed.host(), parsed.user() == nil, !url.contains(" ")
            else { throw members.fault("\"\(url)\" is no URL; write https://host/path", at: .url) }
            guard decoder.isTestHome || parsed.scheme == "https" || Self.isThisMachine(host) else {
                throw members.fault("would send purchases in clear text; write https://", at: .url)
            }
        }

        /// Whether a URL's host is this machine: `localhost`, or an address of its loopback.
        package static func isThisMachine(_ host: String) -> Bool {
            let bare = host.filter { !"[]".contains($0) }
            guard let address = AddressRange.bytes(ofAddress: bare) else { return host == "localhost" }
            return AddressRange.loopback.contains { $0.contains(address) }
        }
    }

    /// An app's key to Apple's App Store Server API, from App Store Connect.
    package struct AppStoreServer: Codable, Hashable, Sendable {
        package var issuerId: String
        package var keyId: String
        /// The key file, `AuthKey_<keyId>.p8` as Apple names it; relative to the home.
        package var privateKey: String
        /// Replaces Apple's limit for endpoints limited to 50 calls a second; nil: Apple's limit.
        package var callsPerSecond: Int?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case issuerId, keyId, privateKey, callsPerSecond
        }

        package init(issuerId: String, keyId: String, privateKey: String) {
            self.issuerId = issuerId
            self.keyId = keyId
            self.privateKey = privateKey
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            let advice = "write the issuer id that App Store Connect shows above its keys"
            issuerId = try members.word(.issuerId, or: advice)
            keyId = try members.word(.keyId, or: "write the id that App Store Connect shows beside the key")
            privateKey = try members.decode(String.self, forKey: .privateKey)
            callsPerSecond = try members.optional(.callsPerSecond, in: 1...1_000)
            guard !privateKey.isEmpty, !privateKey.utf8.contains(0) else {
                let problem = "is empty or no path; name the file of the key, relative to the home"
                throw members.fault(problem, at: .privateKey)
            }
        }
    }

    /// Allows calls to Apple's `verifyReceipt` about receipts of an app.
    package struct VerifyReceipt: Codable, Hashable, Sendable {
        /// The app's shared secret from App Store Connect; needed for receipts with subscriptions.
        package var sharedSecret: String?

        private enum CodingKeys: String, CodingKey, CaseIterable { case sharedSecret }

        package init(sharedSecret: String? = nil) { self.sharedSecret = sharedSecret }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            guard members.contains(.sharedSecret) else { return }
            // No minimum length: Apple makes it. Apple's have 32 characters.
            let advice = "copy the app's shared secret of App Store Connect again, or remove it"
            sharedSecret = try members.word(.sharedSecret, characters: Limits.sharedSecretBytes, or: advice)
        }
    }
}

extension SandboxPolicy: Codable {
    private enum Keys: String, CodingKey, CaseIterable { case grantTo }

    package init(from decoder: any Decoder) throws {
        guard case .object = try JSONValue(from: decoder) else {
            let advice = "is no policy; write \"refuse\", \"separate\" or {\"grantTo\":[buyers]}"
            self = try decoder.value(ofText: { ["refuse": .refuse, "separate": .separate][$0] }, or: advice)
            return
        }
        let members = try decoder.strictContainer(keyedBy: Keys.self)
        self = .grantTo(try members.decode([BuyerID].self, forKey: .grantTo))
    }

    /// Encodes the policy's name, or the object that lists buyers.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .refuse: try "refuse".encode(to: encoder)
        case .separate: try "separate".encode(to: encoder)
        case .grantTo(let buyers):
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(buyers, forKey: .grantTo)
        }
    }
}

extension KeyedDecodingContainer {
    /// A secret of an API key or a webhook; it travels in a header, and no error message quotes it.
    fileprivate func secret(_ key: Key) throws -> String {
        try word(key, characters: 16...Int.max, or: "make a new one")
    }

    /// A text of visible ASCII characters without spaces.
    func word(
        _ key: Key,
        characters limits: ClosedRange<Int> = 1...Int.max,
        or advice: String
    ) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard !text.isEmpty else { throw fault("is empty; \(advice)", at: key) }
        guard limits.contains(text.count) else {
            let least = "at least \(limits.lowerBound)"
            let wanted = limits.upperBound == .max ? least : "\(limits.lowerBound) to \(limits.upperBound)"
            throw fault("has \(text.count) characters, but must have \(wanted); \(advice)", at: key)
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw fault("must be of visible ASCII characters without spaces; \(advice)", at: key)
        }
        return text
    }
}
