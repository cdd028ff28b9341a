package import Contracts
import FoundationEssentials

/// The content of `counterfoil.json`.
package struct Configuration: Codable, Equatable, Sendable {
    package static let maximumPartitions = 256

    /// Partitions per service; fixed when the home is initialised.
    package var partitions = 1
    /// Nil: the stores are the only copies, on one machine.
    package var store: Store?
    package var http = HTTP()
    /// Nil: all programs are on this machine, and nothing listens for other hosts.
    package var wire: Wire?
    /// DER or PEM files of further root certificates; accepted in a test home only.
    package var extraRoots: [String] = []
    /// URL of an App Store simulator without a trailing slash; accepted in a test home only.
    package var appStore: String?
    package var recovery = Recovery()
    package var retention = Retention()
    package var orders = Orders()
    package var restores = Restores()
    package var apps: [App]

    /// How many partitions a machine of so many processors serves best.
    ///
    /// Each partition of each of the four services has a thread and a store of its own. On two processors, one of each
    /// makes half as many purchases again as four of each, and a purchase takes half as long.
    package static func partitions(
        forProcessors processors: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Int {
        min(max(processors / 2, 1), maximumPartitions)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case partitions, store, http, wire, extraRoots, appStore, recovery, retention, orders, restores, apps
    }

    package init(apps: [App]) { self.apps = apps }

    /// The gateway's addresses and connection limits.
    package struct HTTP: Codable, Hashable, Sendable {
        package static let defaultConnectionsPerAddress = 256

        package var listen = ListenAddress.standard
        /// Address of metrics and health for operators; must not be public.
        package var operations = ListenAddress.operations(beside: .standard)
        /// Most connections of one address, to each replica.
        package var connectionsPerAddress = defaultConnectionsPerAddress
        /// Not subject to the connection limit: proxies connect for many clients.
        package var proxies = AddressRange.loopback

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case listen, operations, connectionsPerAddress, proxies
        }
    }

    /// How often Apple is asked for undelivered notifications.
    package struct Recovery: Codable, Hashable, Sendable {
        /// Minutes between two rounds.
        package var everyMinutes = 10

        private enum CodingKeys: String, CodingKey, CaseIterable { case everyMinutes }
    }

    /// How long the store keeps submitted proofs.
    package struct Retention: Codable, Hashable, Sendable {
        /// Days after which a proof with finished transactions is reduced to digest and facts.
        package var proofDays = 400

        private enum CodingKeys: String, CodingKey, CaseIterable { case proofDays }
    }

    /// How long orders wait for their payment.
    package struct Orders: Codable, Hashable, Sendable {
        /// Hours after which an order that nobody has paid is closed; a later payment reopens it.
        ///
        /// One that somebody has to approve waits for 30 days at least.
        package var expireAfterHours = 168

        package init() {}

        private enum CodingKeys: String, CodingKey, CaseIterable { case expireAfterHours }
    }

    /// What a restore under another login needs.
    package struct Restores: Codable, Hashable, Sendable {
        /// Minutes that may have passed since Apple signed the proof.
        package var freshMinutes = 60

        private enum CodingKeys: String, CodingKey, CaseIterable { case freshMinutes }
    }

    /// The app with this bundle id.
    package func app(_ bundleID: BundleID) -> App? { apps.first { $0.bundleId == bundleID } }
}

extension Configuration {
    /// Reads the configuration of a home in which programs may start.
    package init(of home: Home) throws(ConfigurationError) {
        try self.init(writtenIn: home)
        try home.checkSocketPaths(partitions: partitions)
        try home.checkWire(self)
        try home.checkRestored()
        try home.checkStores(partitions: partitions)
        // What a log holds is made anew.
        if store == nil { try home.checkNoStoreIsMissing(partitions: partitions) }
    }

    /// Reads the file alone: the home may not fit it.
    package init(writtenIn home: Home) throws(ConfigurationError) {
        let file = home.configurationFile
        let bytes = try home.contents(ofFile: file)
        self = try ConfigurationFile.decode(Self.self, from: bytes, file: file, isTest: home.isTest)
    }

    /// Reads `store` alone: the other members may still have placeholders, or be wrong.
    ///
    /// - Returns: nil where the file has none.
    package static func store(writtenIn home: Home) throws(ConfigurationError) -> Store? {
        let file = home.configurationFile
        let bytes = try home.contents(ofFile: file)
        return try ConfigurationFile.decode(StoreMember.self, from: bytes, file: file, member: "store").store
    }

    private struct StoreMember: Decodable {
        let store: Store?

        /// A name that is none may be a misspelt `store`.
        init(from decoder: any Decoder) throws {
            store = try decoder.strictContainer(keyedBy: Configuration.CodingKeys.self).optional(.store)
        }
    }

    package init(json: String, isTest: Bool = false) throws(ConfigurationError) {
        let bytes = Data(json.utf8)
        self = try ConfigurationFile.decode(Self.self, from: bytes, file: "counterfoil.json", isTest: isTest)
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        self.init(apps: try members.decode([App].self, forKey: .apps))
        partitions = try members.optional(.partitions, in: 1...Self.maximumPartitions) ?? partitions
        store = try members.optional(.store)
        http = try members.optional(.http) ?? http
        wire = try members.optional(.wire)
        if let wire, wire.ports(partitions: partitions) == nil {
            let problem = Self.portsProblem(wire, partitions)
            throw decoder.fault(problem, at: .member("wire"), .member("basePort"))
        }
        extraRoots = try members.optional(.extraRoots) ?? extraRoots
        appStore = try members.contains(.appStore) ? members.simulatorURL(.appStore) : nil
        recovery = try members.optional(.recovery) ?? recovery
        retention = try members.optional(.retention) ?? retention
        orders = try members.optional(.orders) ?? orders
        restores = try members.optional(.restores) ?? restores
        let forTests: [CodingKeys: Bool] = [.extraRoots: !extraRoots.isEmpty, .appStore: appStore != nil]
        if !decoder.isTestHome, let key = CodingKeys.allCases.first(where: { forTests[$0] == true }) {
            let problem = "is accepted only in a home made by `counterfoil init --test`; remove it"
            throw members.fault(problem, at: key)
        }
        if let problem = appsProblem { throw members.fault(problem, at: .apps) }
    }

    private var appsProblem: String? {
        guard !apps.isEmpty else { return "names no app; add one" }
        var bundles: Set<BundleID> = []
        var secrets: Set<String> = []
        for app in apps {
            guard bundles.insert(app.bundleId).inserted else {
                return "names the bundle id \(app.bundleId) twice; remove one"
            }
            for key in app.keys where !secrets.insert(key.secret).inserted {
                return "gives the secret of key \"\(key.id)\" to two keys; make a new one"
            }
            for key in app.phoneTokens?.keys ?? [] {
                guard let secret = key.secret, !secrets.insert(secret).inserted else { continue }
                return "gives the secret of the phones' key \"\(key.id)\" to two keys; make a new one"
            }
        }
        return nil
    }
}

extension Configuration.HTTP {
    /// Without `operations`, operators connect on this machine at the port above that of `listen`.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        listen = try members.optional(.listen) ?? listen
        operations = try members.optional(.operations) ?? .operations(beside: listen)
        connectionsPerAddress =
            try members.optional(.connectionsPerAddress, in: 1...8_192) ?? connectionsPerAddress
        proxies = try members.optional(.proxies) ?? proxies
        guard listen != operations || listen.port == 0 else {
            throw decoder.fault("has one address for listen and operations; change http.operations")
        }
    }
}

extension Configuration.Recovery {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        // A day at most: Apple keeps undelivered notifications for 180 days.
        everyMinutes = try members.optional(.everyMinutes, in: 1...1_440) ?? everyMinutes
    }
}

extension Configuration.Retention {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        proofDays = try members.optional(.proofDays, in: 1...36_500) ?? proofDays
    }
}

extension Configuration.Orders {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        // Apple is asked for a payment for the last time after 72 hours.
        expireAfterHours = try members.optional(.expireAfterHours, in: 73...8_760) ?? expireAfterHours
    }
}

extension Configuration.Restores {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        freshMinutes = try members.optional(.freshMinutes, in: 1...10_080) ?? freshMinutes
    }
}

extension KeyedDecodingContainer {
    fileprivate func simulatorURL(_ key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil,
            url.query() == nil, url.fragment() == nil
        else { throw fault("\"\(text)\" is no URL; write http://host:port", at: key) }
        guard !text.hasSuffix("/") else {
            throw fault("\"\(text)\" ends with a slash; write it without, such as http://host:port", at: key)
        }
        return text
    }
}
