import Contracts

extension Configuration {
    /// Which tokens an app's own server makes for its phones (RFC 7519), and how often a buyer's phones may ask.
    package struct PhoneTokens: Codable, Hashable, Sendable {
        package static let defaultClockSlackSeconds = 30
        package static let defaultRequestsPerSecond = 10

        package var keys: [PhoneTokenKey] = []
        /// A file of further public keys (RFC 7517), relative to the home; followed while the gateway runs.
        package var jwks: String?
        /// Seconds by which the clock of whoever makes tokens may differ from this machine's.
        package var clockSlackSeconds = defaultClockSlackSeconds
        /// The most requests of one buyer's phones that one gateway takes.
        package var requestsPerSecond = defaultRequestsPerSecond

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case keys, jwks, clockSlackSeconds, requestsPerSecond
        }

        package init(keys: [PhoneTokenKey]) { self.keys = keys }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            keys = try members.optional(.keys) ?? keys
            jwks = try members.optional(.jwks)
            clockSlackSeconds = try members.optional(.clockSlackSeconds, in: 0...300) ?? clockSlackSeconds
            requestsPerSecond = try members.optional(.requestsPerSecond, in: 1...10_000) ?? requestsPerSecond
            if let jwks, jwks.isEmpty || jwks.utf8.contains(0) {
                throw members.fault("is empty or no path; name a JWKS file, relative to the home", at: .jwks)
            }
            guard !keys.isEmpty || jwks != nil else {
                throw members.fault("names no key; add one, or remove phoneTokens", at: .keys)
            }
            guard Set(keys.map(\.id)).count == keys.count else {
                throw members.fault("names one key id twice; rename one", at: .keys)
            }
        }
    }

    /// A key with which phones' tokens are signed: they name it as `kid`.
    package struct PhoneTokenKey: Codable, Hashable, Sendable {
        /// The only way in which tokens under the key are signed (RFC 7518, RFC 8037).
        package enum Algorithm: String, Codable, Sendable, CaseIterable {
            case edDSA = "EdDSA"
            case es256 = "ES256"
            case hs256 = "HS256"
        }

        /// Fewest bytes of a secret, as RFC 7518, section 3.2, asks.
        package static let leastSecretBytes = 32

        package var id: String
        package var algorithm: Algorithm
        /// Of HS256 alone.
        package var secret: String?
        /// Of all others: a public key in PEM.
        package var publicKey: String?
        /// The most requests under the key that one gateway takes; nil: no limit.
        package var requestsPerSecond: Int?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case id, algorithm, secret, publicKey, requestsPerSecond
        }

        /// A key of HS256.
        package init(id: String, secret: String) {
            self.id = id
            algorithm = .hs256
            self.secret = secret
        }

        /// A key of another algorithm; `publicKey` is in PEM.
        package init(id: String, _ algorithm: Algorithm, publicKey: String) {
            self.id = id
            self.algorithm = algorithm
            self.publicKey = publicKey
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            id = try members.decode(String.self, forKey: .id)
            guard !id.isEmpty else { throw members.fault("is empty; name the key", at: .id) }
            let word = try members.decode(String.self, forKey: .algorithm)
            guard let algorithm = Algorithm(rawValue: word) else {
                let known = Algorithm.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw members.fault(
                    "is none that phones' tokens may have; write one of \(known)",
                    at: .algorithm
                )
            }
            self.algorithm = algorithm
            requestsPerSecond = try members.optional(.requestsPerSecond, in: 1...100_000)
            let (needed, other): (CodingKeys, CodingKeys) =
                algorithm == .hs256 ? (.secret, .publicKey) : (.publicKey, .secret)
            guard !members.contains(other) else {
                let problem = "is not of \(word); remove it, and give \(needed.rawValue)"
                throw members.fault(problem, at: other)
            }
            switch algorithm {
            case .hs256:
                let least = Self.leastSecretBytes
                secret = try members.word(.secret, characters: least...Int.max, or: "make a new one")
            case .edDSA, .es256: publicKey = try Self.publicKey(in: members)
            }
        }

        /// Its content is read by the gateway, which has the algorithms.
        private static func publicKey(in members: KeyedDecodingContainer<CodingKeys>) throws -> String {
            let text = try members.decode(String.self, forKey: .publicKey)
            guard !text.contains("PRIVATE KEY") else {
                throw members.fault("is a private key; only its public key belongs here", at: .publicKey)
            }
            guard text.contains("-----BEGIN PUBLIC KEY-----") else {
                let advice =
                    "is no public key; write PEM (-----BEGIN PUBLIC KEY-----), with \\n for each new line"
                throw members.fault(advice, at: .publicKey)
            }
            return text
        }
    }
}
