import ArgumentParser
import Contracts
import Delivery
import Domain
import Foundation
import Glibc
import Logging
import Testing

@testable import Control
@testable import Program

/// What `counterfoil catalog` does in a home that has sold already, unless a test says otherwise.
@Suite(.temporaryFolder) struct `loading a catalog` {
    let home: Home
    /// What the home has at first.
    private let old: Catalog

    init() throws {
        home = try .initialised()
        old = try Catalog(loadedIn: home)
        // The group has run: what is loaded may have been sold.
        try Data().write(to: URL(filePath: home.store(of: PartitionAddress(.orders, 0))))
    }

    private static let coins =
        #"{"productId":"coins.120","type":"consumable","grants":[{"entitlement":"coins","amount":120}]}"#
    private static let pro =
        #"{"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"}]}"#
    private static let gems =
        #"{"productId":"gems.7","type":"consumable","grants":[{"entitlement":"gems","amount":7}]}"#

    private var loader: CatalogLoader { CatalogLoader(home: home) }
    private var correction: CatalogLoader {
        CatalogLoader(home: home, corrected: [ProductID(unchecked: "coins.120")])
    }

    /// Writes `catalog.json` as an editor does.
    private func edit(_ products: String..., more: String = "") throws {
        let text = #"{"products":[\#(products.joined(separator: ","))]\#(more)}"#
        try Data(text.utf8).write(to: URL(filePath: home.catalogFile))
    }

    private func loaded() throws -> Catalog { try Catalog(loadedIn: home) }

    private func follower() throws -> CatalogFollower {
        try CatalogFollower(of: home, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `takes the file whole, says what changed, and the next one finds nothing to do`() throws {
        let dear = Self.coins.replacing("120}", with: "150}")
        try edit(dear, Self.pro, Self.gems, more: #","entitlements":{"coins":{"balance":"floor"}}"#)
        #expect(try loaded() == old)
        let result = try loader.load(home.catalogFile)
        #expect(result.before == old.version && result.catalog.version != old.version)
        #expect(
            result.differences == [
                "coins.120: changed grants", "gems.7: new", "entitlement coins: balance floor",
            ]
        )
        #expect(try loaded() == result.catalog)
        let again = try loader.load(home.catalogFile)
        #expect(again.isSame && again.differences.isEmpty)
    }

    private func configure(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: home.configurationFile))
    }

    @Test func `is possible while the configuration is not filled in yet`() throws {
        try configure(#"{"apps":[{"bundleId":"REPLACE_BUNDLE"}],"orders":7}"#)
        #expect(throws: ConfigurationError.self) { try Configuration(writtenIn: home) }
        try edit(Self.coins, Self.pro, Self.gems)
        #expect(try loader.load(home.catalogFile).differences == ["gems.7: new"])
        #expect(try loaded() != old)
    }

    /// What the configuration says, the member that is wrong, and what is said of it.
    static let logs: [(String, String, String)] = [
        (#""store":{"url":"mysql://cf@db/cf","group":"g"}"#, "store.url", "begins with postgresql://"),
        (#""store":{"url":"postgresql://cf@127.0.0.1/cf"}"#, "store.group", "is missing"),
        (
            #""store":{"url":"postgresql://cf@127.0.0.1/cf","group":"REPLACE_GROUP"}"#, "store.group",
            "replace what begins with REPLACE in store.group by values"
        ),
        (#""store":"postgresql://cf@127.0.0.1/cf""#, "store", "but is a string"),
        (#""Store":{}"#, "Store", "is not a known member"),
    ]

    @Test(arguments: logs)
    func `is refused where nobody can say whether there is a log`(
        store: String,
        member: String,
        says: String
    ) throws {
        try configure("{\(store)}")
        try edit(Self.coins, Self.pro, Self.gems)
        let error = try #require(throws: ConfigurationError.self) { try loader.load(home.catalogFile) }
        #expect(error.member == member && error.description.contains(says), "\(error)")
        #expect(error.exitCode == 2)
        #expect(try loaded() == old)
    }

    @Test func `checks without a change, and takes any file by name`() throws {
        let file = home.root + "/other.json"
        try Data(#"{"products":[\#(Self.coins),\#(Self.pro),\#(Self.gems)]}"#.utf8).write(
            to: URL(filePath: file)
        )
        #expect(try loader.check(file).differences == ["gems.7: new"])
        #expect(try loaded() == old)
        #expect(try loader.load(file).catalog == loaded())
    }

    /// The products of the file, the product that is refused, and why.
    static let refused: [([String], String, String)] = [
        ([coins], "pro.lifetime", "is gone"),
        ([coins.replacing("consumable", with: "nonConsumable"), pro], "coins.120", "but was consumable"),
        ([coins.replacing(#""coins""#, with: #""gold""#), pro], "coins.120", "grants coins no more"),
        (
            [coins, pro.replacing(#""pro""#, with: #""coins","amount":1"#)], "pro.lifetime",
            "grants pro no more"
        ),
        (
            [coins, pro.replacing(#""pro""#, with: #""pro","amount":1"#)], "pro.lifetime",
            "but was a possession"
        ),
        (
            [coins, retiredPro.replacing(#"{"entitlement":"pro"},"#, with: "")], "pro.lifetime",
            "grants pro no more"
        ),
        (
            [coins, pro, gems.replacing("gems.7", with: "coins.120").replacing("}]", with: "}],\(app)")],
            "coins.120", "grants coins no more"
        ),
    ]

    private static let app = #""bundleId":"com.example.game""#
    private static let retiredPro =
        #"{"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"},{"entitlement":"vip"}],"#
        + #""retired":{}}"#

    @Test(arguments: refused)
    func `is refused where it would break what was sold, and leaves the old one`(
        products: [String],
        product: String,
        says: String
    ) throws {
        try edit(products.joined(separator: ","))
        for run in [loader.check, loader.load] {
            let refusal = try #require(throws: CatalogRefusal.self) { try run(home.catalogFile) }
            #expect(refusal.refusals.map(\.productId.rawValue) == [product])
            #expect(refusal.description.contains(says), "\(refusal)")
            #expect(refusal.exitCode == 2)
        }
        #expect(try loaded() == old)
    }

    @Test func `corrects a type that was a mistake, of the product that the operator names and no other`()
        throws
    {
        let signed = Self.coins.replacing("consumable", with: "nonConsumable")
        let other = Self.pro.replacing("nonConsumable", with: "autoRenewable")
        try edit(signed, other)
        let refusal = try #require(throws: CatalogRefusal.self) { try correction.load(home.catalogFile) }
        #expect(refusal.refusals.map(\.productId.rawValue) == ["pro.lifetime"])
        #expect(refusal.description.contains("--correct-type pro.lifetime"), "\(refusal)")
        #expect(try loaded() == old)
        try edit(signed, Self.pro)
        #expect(throws: CatalogRefusal.self) { try loader.load(home.catalogFile) }
        #expect(try correction.load(home.catalogFile).differences == ["coins.120: changed type"])
        #expect(try loaded().products[0].type == .nonConsumable)
    }

    @Test
    func `lets a mistaken product grant otherwise, but neither vanish nor mix amounts with possessions`()
        throws
    {
        let month = Self.coins.replacing("consumable", with: "autoRenewable")
        try edit(month.replacing(#""coins","amount":120"#, with: #""vip""#), Self.pro)
        _ = try correction.check(home.catalogFile)
        try edit(month.replacing(#","amount":120"#, with: ""), Self.pro)
        _ = try correction.check(home.catalogFile)
        try edit(Self.coins.replacing(#""coins""#, with: #""pro""#))
        #expect(throws: CatalogRefusal.self) { try correction.check(home.catalogFile) }
        try edit(Self.pro)
        let gone = try #require(throws: CatalogRefusal.self) { try correction.check(home.catalogFile) }
        #expect(gone.description.contains("coins.120: is gone"), "\(gone)")
    }

    @Test func `names each product that is refused`() throws {
        try edit(Self.gems)
        let refusal = try #require(throws: CatalogRefusal.self) { try loader.load(home.catalogFile) }
        #expect(refusal.description.split(separator: "\n").count == 2)
    }

    @Test func `lets a product grant more, also a retired one, which may be sold again`() throws {
        let more = Self.coins.replacing("[{", with: #"[{"entitlement":"gems","amount":1},{"#)
        try edit(more, Self.retiredPro)
        #expect(
            try loader.load(home.catalogFile).differences == [
                "coins.120: changed grants", "pro.lifetime: retired",
            ]
        )
        try edit(more, Self.retiredPro.replacing(#","retired":{}"#, with: ""))
        #expect(try loader.load(home.catalogFile).differences == ["pro.lifetime: sold again"])
    }

    @Test func `takes other days of a possession, which those who bought it before do not get`() throws {
        let pass =
            #"{"productId":"pass","type":"nonRenewing","grants":[{"entitlement":"pass","durationDays":30}]}"#
        try edit(Self.coins, Self.pro, pass)
        _ = try loader.load(home.catalogFile)
        try edit(Self.coins, Self.pro, pass.replacing("30", with: "60"))
        #expect(try loader.load(home.catalogFile).differences == ["pass: changed grants"])
    }

    @Test func `takes anything before the group has run for the first time`() throws {
        try FileManager.default.removeItem(atPath: home.store(of: PartitionAddress(.orders, 0)))
        try edit(Self.gems)
        #expect(try loader.load(home.catalogFile).catalog == loaded())
        #expect(try loaded().products.map(\.productId.rawValue) == ["gems.7"])
    }

    @Test func `is refused with the place of a fault, and while another one is at work`() throws {
        try Data("{\"products\": [\n  {\"productId\": 7}]}".utf8).write(to: URL(filePath: home.catalogFile))
        let error = try #require(throws: ConfigurationError.self) { try loader.load(home.catalogFile) }
        let place = "\(home.catalogFile): line 2, column 17: products[0].productId: must be"
        #expect(error.description.hasPrefix(place))
        try edit(Self.coins, Self.pro, Self.gems)
        let other = try Descriptor(open(home.dataFolder, O_RDONLY | O_DIRECTORY), from: "open")
        #expect(flock(other.number, LOCK_EX) == 0)
        #expect(throws: CommandFailure.self) { try loader.load(home.catalogFile) }
        #expect(flock(other.number, LOCK_UN) == 0)
        #expect(try loader.load(home.catalogFile).catalog == loaded())
    }

    @Test func `that died half way leaves the old one, and the next one is not disturbed`() throws {
        try Data("{\"prod".utf8).write(to: URL(filePath: home.loadedCatalogFile + ".new"))
        #expect(try loaded() == old)
        try edit(Self.coins, Self.pro, Self.gems)
        #expect(try loader.load(home.catalogFile).catalog == loaded())
    }

    @Test func `a home without one says which command to run, and so does a folder that is no home`() throws {
        try FileManager.default.removeItem(atPath: home.loadedCatalogFile)
        let error = try #require(throws: ConfigurationError.self) { try loaded() }
        #expect(error.description.contains("`counterfoil catalog load`") && error.exitCode == 2)
        #expect(try loader.load(home.catalogFile).before == nil)
        let nowhere = CatalogLoader(home: Home(root: home.root + "/none"))
        let problem = try #require(throws: ConfigurationError.self) { try nowhere.load(home.catalogFile) }
        #expect(problem.description.contains("counterfoil init"))
        #expect(!FileManager.default.fileExists(atPath: nowhere.home.root))
    }

    @Test func `is taken up by a process that runs, once a second, and what cannot be read is not`() throws {
        let follower = try follower()
        let start = ClockReading.current().uptime + 10_000
        #expect(follower.current(at: start) == old)
        try edit(Self.coins, Self.pro, Self.gems)
        let new = try loader.load(home.catalogFile).catalog
        #expect(follower.current(at: start + 999) == old)
        #expect(follower.current(at: start + 1_000) == new)
        try FileManager.default.removeItem(atPath: home.loadedCatalogFile)
        #expect(follower.current(at: start + 2_000) == new)
        try Data("{".utf8).write(to: URL(filePath: home.loadedCatalogFile))
        #expect(follower.current(at: start + 3_000) == new)
        try FileManager.default.removeItem(atPath: home.loadedCatalogFile)
        #expect(try loader.load(home.catalogFile).catalog == follower.current(at: start + 4_000))
    }

    @Test func `is tried again by a process that could not read it, though the file looks the same`() throws {
        let follower = try follower()
        let start = ClockReading.current().uptime + 10_000
        #expect(follower.current(at: start) == old)
        try edit(Self.coins, Self.pro, Self.gems)
        let new = try loader.load(home.catalogFile).catalog
        let file = URL(filePath: home.loadedCatalogFile)
        let bytes = try Data(contentsOf: file)
        /// Writes in place, so that inode, size and time stay.
        func put(_ bytes: Data) throws {
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: bytes)
            try handle.close()
            let time = Date(timeIntervalSince1970: 1_700_000_000)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path())
        }
        try put(Data(repeating: UInt8(ascii: "{"), count: bytes.count))
        #expect(follower.current(at: start + 1_000) == old)
        try put(bytes)
        #expect(follower.current(at: start + 2_000) == new)
    }

    @Test func `its command line takes a file or the home's`() throws {
        let named = try #require(
            try Counterfoil.parseAsRoot(["catalog", "load", "x.json", "--home", home.root])
                as? CatalogCommand.Load
        )
        #expect(named.target.path == "x.json" && named.target.corrected.isEmpty)
        let corrections = [
            "catalog", "check", "--home", home.root, "--correct-type", "a", "--correct-type", "b",
        ]
        let correcting = try #require(try Counterfoil.parseAsRoot(corrections) as? CatalogCommand.Check)
        #expect(correcting.target.loader.corrected.map(\.rawValue).sorted() == ["a", "b"])
        let own = try #require(
            try Counterfoil.parseAsRoot(["catalog", "check", "--home", home.root]) as? CatalogCommand.Check
        )
        #expect(own.target.path == home.catalogFile)
    }
}
