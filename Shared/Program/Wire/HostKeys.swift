import Contracts
package import FoundationEssentials
package import ZeroMQ

/// The secret keys of this host: the file `host.keys` of its home, which no other host has.
package struct HostKeys: Sendable {
    /// Two are enough to change one for the other.
    package static let most = 8
    private static let advice = "make keys with `counterfoil keys make`"

    /// In the order in which they were made.
    package private(set) var pairs: [CurveKeyPair]

    package init(_ pairs: [CurveKeyPair]) { self.pairs = pairs }

    private struct Content: Codable {
        var secrets: [String]

        private enum CodingKeys: String, CodingKey, CaseIterable { case secrets }

        init(secrets: [String]) { self.secrets = secrets }

        init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            secrets = try members.decode([String].self, forKey: .secrets)
            guard (1...HostKeys.most).contains(secrets.count) else {
                throw members.fault("must be 1 to \(HostKeys.most) keys", at: .secrets)
            }
            if let wrong = secrets.firstIndex(where: { CurveKeyPair(secret: $0) == nil }) {
                throw decoder.fault("is no secret key", at: .member("secrets"), .element(wrong))
            }
        }
    }

    /// Reads the keys of a home, from its snapshot if it has one.
    package init(of home: Home) throws(ConfigurationError) {
        let file = home.hostKeysFile
        let bytes = try home.contents(ofFile: file, otherwise: Self.advice)
        let content = try ConfigurationFile.decode(Content.self, from: bytes, file: file)
        pairs = content.secrets.compactMap(CurveKeyPair.init(secret:))
    }

    /// The keys of a home; none if it has no file yet.
    package static func existing(in home: Home) throws(ConfigurationError) -> HostKeys {
        FileManager.default.fileExists(atPath: home.hostKeysFile) ? try HostKeys(of: home) : HostKeys([])
    }

    /// Adds a pair; nil if there are too many already.
    package func adding(_ pair: CurveKeyPair) -> HostKeys? {
        pairs.count < Self.most ? HostKeys(pairs + [pair]) : nil
    }

    /// What the file holds.
    ///
    /// - Throws: `EncodingError`.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(Content(secrets: pairs.map(\.secret))) + Data("\n".utf8)
    }

    /// The host of the group that this one is, and the pair that it uses: the first of the host's keys that is here.
    ///
    /// Nil if no key of any host is here.
    package func match(in wire: Configuration.Wire) -> (host: Configuration.Host, pair: CurveKeyPair)? {
        for host in wire.hosts {
            for key in host.keys {
                if let pair = pairs.first(where: { $0.publicKey.description == key }) { return (host, pair) }
            }
        }
        return nil
    }
}
