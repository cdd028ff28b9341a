import Contracts
import Domain
import Foundation

extension Configuration {
    /// What the home's `counterfoil.json` says.
    ///
    /// - Throws: `ConfigurationError` that names the member that is wrong.
    package init(of home: Home) throws(ConfigurationError) {
        let file = home.configurationFile
        try self.init(ConfigurationValue(home.contents(ofFile: file), file: file), isTest: home.isTest)
        try home.checkSocketPaths(partitions: partitions)
        try home.checkStores(partitions: partitions)
    }

    /// What a text in the form of `counterfoil.json` says.
    ///
    /// - Throws: `ConfigurationError` that names the member that is wrong.
    package init(json: String, isTest: Bool = false) throws(ConfigurationError) {
        try self.init(ConfigurationValue(json, file: "counterfoil.json"), isTest: isTest)
    }

    private init(_ value: ConfigurationValue, isTest: Bool) throws(ConfigurationError) {
        try value.checkReplaced()
        let object = try value.object([
            "partitions", "http", "extraRoots", "appStore", "recovery", "retention", "apps",
        ])
        partitions =
            try object["partitions"]?.integer(in: 1...Self.maximumPartitions) ?? Self.defaultPartitions
        http = try object["http"].map(HTTP.init) ?? HTTP()
        extraRoots = try object["extraRoots"].map(Self.texts) ?? []
        appStore = try object["appStore"].map { value throws(ConfigurationError) in
            try Self.appStore(value, isTest: isTest)
        }
        recovery = try object["recovery"].map(Recovery.init) ?? Recovery()
        retention = try object["retention"].map(Retention.init) ?? Retention()
        apps = try object.required("apps").array().map { value throws(ConfigurationError) in
            try App(value, isTest: isTest)
        }
        guard isTest || extraRoots.isEmpty else {
            let problem = "is accepted only in a home made by `counterfoil init --test`; remove it"
            throw value.child("extraRoots", .null).fault(problem)
        }
        try checkApps(value.child("apps", .null))
    }

    private func checkApps(_ member: ConfigurationValue) throws(ConfigurationError) {
        guard !apps.isEmpty else { throw member.fault("names no app; add one") }
        var bundles: Set<BundleID> = []
        var secrets: Set<String> = []
        for app in apps {
            guard bundles.insert(app.bundleId).inserted else {
                throw member.fault("names the bundle id \(app.bundleId) twice; remove one")
            }
            for key in app.keys where !secrets.insert(key.secret).inserted {
                throw member.fault("gives the secret of key \"\(key.id)\" to two keys; make a new one")
            }
        }
    }

    fileprivate static func texts(_ value: ConfigurationValue) throws(ConfigurationError) -> [String] {
        try value.array().map { element throws(ConfigurationError) in try element.string() }
    }
}

extension Configuration.HTTP {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["listen", "operations", "connectionsPerAddress", "proxies"])
        self.init(
            listen: try object["listen"].map(Self.address) ?? .standard,
            operations: try object["operations"].map(Self.address),
            connectionsPerAddress: try object["connectionsPerAddress"]?.integer(
                in: Self.connectionsPerAddress
            )
                ?? Self.standardConnectionsPerAddress,
            proxies: try object["proxies"].map(Self.ranges) ?? AddressRange.loopback
        )
        guard listen != operations || listen.port == 0 else {
            throw value.fault("has one address for listen and operations; change http.operations")
        }
    }

    private static func address(_ value: ConfigurationValue) throws(ConfigurationError) -> ListenAddress {
        let text = try value.string()
        guard let address = ListenAddress(text) else {
            throw value.fault("\"\(text)\" is no address; write host:port, such as 127.0.0.1:8080")
        }
        return address
    }

    private static func ranges(_ value: ConfigurationValue) throws(ConfigurationError) -> [AddressRange] {
        try value.array().map { element throws(ConfigurationError) in
            let text = try element.string()
            guard let range = AddressRange(text) else {
                throw element.fault("\"\(text)\" is no address; write one, or a range such as 10.0.0.0/8")
            }
            return range
        }
    }
}

extension Configuration.App {
    fileprivate init(_ value: ConfigurationValue, isTest: Bool) throws(ConfigurationError) {
        let object = try value.object([
            "bundleId", "appAppleId", "environments", "sandbox", "keys", "webhook", "appStoreServer",
            "verifyReceipt",
        ])
        bundleId = try object.required("bundleId").identifier(BundleID.self, "a bundle id")
        appAppleId = try object["appAppleId"]?.integer(in: 1...Int64.max)
        environments = try object["environments"].map(Self.environments) ?? [.production, .sandbox]
        sandbox = try object["sandbox"].map(SandboxPolicy.init) ?? .separate
        let keys = try object.required("keys")
        self.keys = try keys.array().map(Configuration.Key.init)
        webhook = try object["webhook"].map { value throws(ConfigurationError) in
            try Configuration.Webhook(value, isTest: isTest)
        }
        appStoreServer = try object["appStoreServer"].map(Configuration.AppStoreServer.init)
        verifyReceipt = try object["verifyReceipt"].map(Configuration.VerifyReceipt.init)
        guard !self.keys.isEmpty else {
            throw keys.fault("names no key; add one, or nobody can reach the app")
        }
        guard Set(self.keys.map(\.id)).count == self.keys.count else {
            throw keys.fault("names one key id twice; rename one")
        }
    }

    private static func environments(_ value: ConfigurationValue) throws(ConfigurationError) -> [Environment]
    {
        let environments = try value.array().map { element throws(ConfigurationError) in
            let environment = Environment(rawValue: try element.string())
            guard [.production, .sandbox].contains(environment) else {
                throw element.fault("is \"\(environment)\", but must be \"Production\" or \"Sandbox\"")
            }
            return environment
        }
        guard !environments.isEmpty else { throw value.fault("names no environment; add \"Production\"") }
        return environments
    }
}

extension SandboxPolicy {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let wanted = "\"refuse\", \"separate\" or {\"grantTo\":[buyers]}"
        switch value.value {
        case .string("refuse"): self = .refuse
        case .string("separate"): self = .separate
        case .object:
            let buyers = try value.object(["grantTo"]).required("grantTo").array()
            self = .grantTo(
                try buyers.map { buyer throws(ConfigurationError) in
                    try buyer.identifier(BuyerID.self, "a buyer's id")
                }
            )
        case .string(let text): throw value.fault("is \"\(text)\", but must be \(wanted)")
        case .null, .bool, .integer, .number, .array: throw value.mismatch(wanted)
        }
    }
}

extension Configuration.Key {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["id", "secret"])
        let id = try object.required("id")
        self.init(id: try id.string(), secret: try object.required("secret").secret())
        guard !self.id.isEmpty else { throw id.fault("is empty; name the key") }
    }
}

extension Configuration.Webhook {
    fileprivate init(_ value: ConfigurationValue, isTest: Bool) throws(ConfigurationError) {
        let object = try value.object(["url", "secret"])
        let url = try object.required("url")
        self.init(url: try url.string(), secret: try object.required("secret").secret())
        guard let parsed = URL(string: self.url), ["http", "https"].contains(parsed.scheme),
            let host = parsed.host()
        else { throw url.fault("\"\(self.url)\" is no URL; write https://host/path") }
        guard isTest || parsed.scheme == "https" || Self.isThisMachine(host) else {
            throw url.fault("would tell of purchases in clear text; write https://")
        }
    }

    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" { return true }
        let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return AddressRange.bytes(ofAddress: bare).map { address in
            AddressRange.loopback.contains { $0.contains(address) }
        } ?? false
    }
}

extension ConfigurationValue {
    fileprivate func secret() throws(ConfigurationError) -> String {
        let secret = try string()
        let least = Configuration.minimumSecretLength
        guard secret.count >= least else {
            throw fault("has \(secret.count) characters, but must have at least \(least); make a longer one")
        }
        guard secret.utf8.allSatisfy(\.isVisibleASCII) else {
            throw fault("must be of visible ASCII characters without spaces, as it travels in a header")
        }
        return secret
    }
}
