import ArgumentParser
import Contracts
import FoundationEssentials
import Program
import ZeroMQ

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Makes a home: its folders, a configuration with one app and a fresh key, an example catalog.",
        discussion: """
            Where connections come from and go, in counterfoil.json:
              http.operations        where /metrics and /readyz with its detail are
                (default: this machine, the port above that of http.listen)
              http.connectionsPerAddress  most connections of one address, 1 to 8192
                (default 256); addresses and ranges (10.0.0.0/8) in http.proxies are
                not counted (default: this machine's)
              wire                   {"basePort", "hosts": [{"address", "listen", "keys"}]}: how
                hosts speak to each other (default: programs speak on this machine only).
                "basePort", 1024 to 65535 (default 7400), is the first of one port for
                each partition of the four services; "address" is where others reach
                the host; "listen" a numeric address of it (default "address"); "keys"
                are its public keys, which `counterfoil keys` makes and shows
            So that phones connect by themselves, with tokens that your server makes:
              apps[].phoneTokens     {"keys": [{"id", "algorithm", "publicKey" or "secret"}]}:
                the algorithm is EdDSA or ES256, with a public key in PEM, or HS256, with
                a secret of 32 bytes or more; "jwks" is a file of further public keys,
                followed while the group runs; "clockSlackSeconds", 0 to 300 (default
                30); "requestsPerSecond" of one buyer's phones, 1 to 10000 (default 10)
            So that Apple is asked about receipts:
              apps[].appStoreServer  {"issuerId","keyId","privateKey"}, and optional
                "callsPerSecond": a key of App Store Connect for in-app purchases;
                "privateKey" is its file, AuthKey_<keyId>.p8, relative to the home.
                "callsPerSecond", 1 to 1000, replaces Apple's limit of the endpoints
                that have 50
              apps[].verifyReceipt   {}, or {"sharedSecret"}: Apple's verifyReceipt may
                be asked, too; receipts with subscriptions need the shared secret, and
                so do Apple's notifications of version 1
              recovery               {"everyMinutes"}: how often Apple is asked for what
                it could not deliver, 1 to 1440 (default 10)
              retention              {"proofDays"}: for how many days the proofs of finished
                purchases are stored as they came (default 400)
              orders                 {"expireAfterHours"}: when an order that nobody has paid is
                closed, 73 to 8760 (default 168), and 30 days at least where somebody
                has to approve; a later payment reopens it
              restores               {"freshMinutes"}: how old the proof of a restore under
                another login may be, 1 to 10080 (default 60)
              appStore               with --test: the URL of an App Store simulator
            So that nothing is lost with this machine:
              store                  {"url", "group", "passwordFile", "allowSingle"}: every commit
                is a row of PostgreSQL before anybody is told; --store makes the tables, and is
                refused unless PostgreSQL has a synchronous standby. A password in its URL goes
                into a file of the home; better name a file that has it, because others may
                see command lines
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Make a home for tests: extra root certificates and crash points are allowed in it.")
    var test = false

    @Option(help: "The bundle id of the app.")
    var bundleID = BundleID(unchecked: "com.example.game")

    @Option(help: "Where the gateway listens, host:port; port 0 lets the system choose.")
    var listen = ListenAddress.standard

    @Option(help: "Partitions per service, one for every two processors if absent; cannot be changed later.")
    var partitions = Configuration.partitions()

    @Option(
        help: """
            Where partitions listen for other hosts, address:port: the first of the ports, such as 10.0.0.7:7400; a \
            key for this host is made.
            """
    )
    var wire: ListenAddress?

    @Option(
        help: "postgresql://USER@HOST/DATABASE: keep every commit there, too, before anybody is told of it."
    )
    var store: StoreOption?

    @Option(help: "With --store: a file of mode 0600 with the password in its first line.")
    var passwordFile: String?

    @Flag(help: "With --store: take a PostgreSQL that may lose with one machine what it has acknowledged.")
    var allowSingle = false

    @Option(name: .customLong("webhook-url"), help: "Where the app's own backend is told of changes.")
    var webhookURL: String?

    @Option(
        name: .customLong("extra-root"),
        help: "With --test: a root certificate that is trusted, DER or PEM."
    )
    var extraRoots: [String] = []

    @Option(
        name: .customLong("app-store"),
        help: """
            With --test: the URL of an App Store simulator, such as http://127.0.0.1:8090; a key for it is made, \
            and verifyReceipt is asked.
            """
    )
    var appStore: String?

    mutating func validate() throws {
        if !extraRoots.isEmpty, !test { throw ValidationError("--extra-root needs --test.") }
        if appStore != nil, !test { throw ValidationError("--app-store needs --test.") }
        if store == nil, passwordFile != nil || allowSingle {
            throw ValidationError("--password-file and --allow-single need --store.")
        }
        if store?.password != nil, passwordFile != nil {
            throw ValidationError("--store has a password, and --password-file names another one.")
        }
        try (1...Configuration.maximumPartitions).check(partitions, as: "--partitions")
    }

    func run() throws {
        let home = option.home
        let appStore = appStore.map(SimulatedAppStore.init)
        var files = try Dictionary(extraRoots.map(Self.certificate)) { _, last in last }
        if let appStore { files[appStore.server.privateKey] = Data(appStore.pem.utf8) }
        if let password = store?.password { files[Self.passwordFile] = Data("\(password)\n".utf8) }
        var configuration = configuration(appStore)
        if let wire {
            let pair = try CurveKeyPair.make()
            files[Home.hostKeysName] = try HostKeys([pair]).encoded()
            let host = Configuration.Host(address: wire.host, keys: [pair.publicKey.description])
            configuration.wire = .init(basePort: wire.port, hosts: [host])
        }
        let log = configuration.store
        try HomeInitializer(home: home, isTest: test).make(configuration, with: files) {
            if let log { try GroupLog(log, of: home).make(partitions: partitions) }
        }
        print("made \(test ? "a TEST home" : "a home") at \(home.root)")
        print("  \(home.configurationFile)  apps, keys, listen address; the app's key is in here")
        print("  \(home.catalogFile)  products and what they grant; `counterfoil catalog load` loads it")
        if wire != nil { print("  \(home.hostKeysFile)  this host's secret key; `counterfoil keys show`") }
        if let store = configuration.store {
            print("  \(store.url)  has the commit log of this group, \(store.group)")
            if store.allowSingle { print("  ON ONE MACHINE, perhaps: --allow-single takes that") }
        }
        print("next: counterfoil up --home \(home.root)")
    }

    /// Where a password goes that was in a URL.
    static let passwordFile = "postgresql.password"

    /// A copy of a root certificate, with its name in the home.
    private static func certificate(_ root: String) throws -> (name: String, bytes: Data) {
        guard let bytes = FileManager.default.contents(atPath: root) else {
            throw ConfigurationError(file: root, problem: "cannot be read; correct --extra-root")
        }
        return ("roots/" + URL(filePath: root).lastPathComponent, bytes)
    }

    /// A path that is written in the configuration would begin at the home.
    static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }

    private func configuration(_ appStore: SimulatedAppStore?) -> Configuration {
        let key = Configuration.Key(id: "key1", secret: HomeInitializer.newSecret())
        var app = Configuration.App(bundleId: bundleID, keys: [key])
        if test { app.phoneTokens = .init(keys: [.init(id: "phones1", secret: HomeInitializer.newSecret())]) }
        app.webhook = webhookURL.map { .init(url: $0, secret: HomeInitializer.newSecret()) }
        app.appStoreServer = appStore?.server
        app.verifyReceipt = appStore.map { _ in .init() }
        var configuration = Configuration(apps: [app])
        configuration.partitions = partitions
        configuration.store = store.map { option in
            var store = Configuration.Store(
                url: option.url,
                group: String(HomeInitializer.newSecret().prefix(16))
            )
            store.passwordFile = option.password == nil ? passwordFile.map(Self.absolute) : Self.passwordFile
            store.allowSingle = allowSingle
            return store
        }
        configuration.http.listen = listen
        configuration.http.operations =
            test ? ListenAddress(host: "127.0.0.1", port: 0) : .operations(beside: listen)
        configuration.extraRoots = extraRoots.map { "roots/" + URL(filePath: $0).lastPathComponent }
        configuration.appStore = appStore?.url
        return configuration
    }
}
