import Contracts
import FoundationEssentials
import Program

/// With which secret the webhooks of each app are signed.
struct WebhookSecrets {
    private let own: [BundleID: Configuration.Webhook]
    private let apps: [BundleID]
    /// Of apps without a webhook in the configuration; nil where nobody has listened yet.
    private var shared: String?

    /// Reads the file that `listen` has made, if there is one.
    init(of home: Home, apps: [Configuration.App]) throws {
        own = apps.reduce(into: [:]) { $0[$1.bundleId] = $1.webhook }
        self.apps = apps.map(\.bundleId)
        let file = home.listenSecretFile
        guard home.isTest, FileManager.default.fileExists(atPath: file) else { return }
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        shared = text.split(separator: "\n").first.map(String.init)
    }

    /// Reads the file, and makes it if there is none: for its owner only.
    ///
    /// Of several that begin at once all have the secret of the first. `whenMissing` is called before it is made.
    static func made(
        of home: Home,
        apps: [Configuration.App],
        whenMissing: () throws -> Void = {}
    ) throws -> WebhookSecrets {
        let known = try WebhookSecrets(of: home, apps: apps)
        guard known.shared == nil else { return known }
        try whenMissing()
        let file = home.listenSecretFile
        try DurableFile.create(file, with: Data("\(HomeInitializer.newSecret())\n".utf8))
        let made = try WebhookSecrets(of: home, apps: apps)
        guard made.shared != nil else {
            throw CommandFailure(description: "\(file) holds no secret; remove it, and a new one is made")
        }
        return made
    }

    /// The secret of an app's webhooks; nil where it has none.
    func secret(of app: BundleID) -> String? { own[app]?.secret ?? shared }

    /// Those by which each of its webhooks is signed: while it is changed the one before, too.
    func secrets(of app: BundleID) -> [String] { own[app]?.secrets ?? [shared].compactMap(\.self) }

    /// Whether webhooks of an app are signed with the secret of the file.
    func isShared(by app: BundleID) -> Bool { own[app] == nil }

    /// The present ones that are known, in the order of the configuration.
    var known: [(app: BundleID, secret: String)] {
        apps.compactMap { app in secret(of: app).map { (app, $0) } }
    }
}
