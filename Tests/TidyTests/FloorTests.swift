import Testing

/// Which module stands on which; arrows point down only.
@Suite struct Floors {
    /// A folder and everything that its files may import.
    struct Floor: Sendable, CustomStringConvertible {
        let folder: String
        let mayImport: Set<String>
        /// Folders below it that are floors of their own.
        var without: [String] = []

        var description: String { folder }
    }

    /// What every floor above the contracts may use of the language's own; with all of Foundation a program is 40 MB
    /// larger.
    static let platform: Set<String> = ["FoundationEssentials", "Glibc", "Dispatch"]
    static let libraries = platform.union(["Logging", "NIOConcurrencyHelpers"])

    static let floors: [Floor] = [
        // On a phone there is all of Foundation, and no module of its essentials.
        Floor(folder: "Shared/Client", mayImport: ["Darwin", "Foundation", "FoundationEssentials", "Glibc"]),
        Floor(
            folder: "Shared/ClientStoreKit",
            mayImport: [
                "Combine", "Dispatch", "Foundation", "FoundationNetworking", "Network", "Security",
                "StoreKit",
            ]
        ),
        Floor(folder: "Shared/Contracts", mayImport: ["FoundationEssentials", "Synchronization"]),
        Floor(folder: "Shared/Domain", mayImport: ["Contracts", "Crypto", "FoundationEssentials"]),
        Floor(folder: "Shared/ZeroMQ", mayImport: platform.union(["CZeroMQ", "NIOConcurrencyHelpers"])),
        Floor(
            folder: "Shared/HTTPClient",
            mayImport: platform.union(["CCurl", "NIOConcurrencyHelpers", "ZeroMQ"])
        ),
        Floor(
            folder: "Shared/HTTPServing",
            mayImport: ["Glibc", "HummingbirdCore", "Logging", "NIOConcurrencyHelpers", "NIOCore"]
        ),
        Floor(folder: "Shared/Database", mayImport: platform.union(["CSQLite", "Synchronization"])),
        Floor(
            folder: "Shared/PostgreSQL",
            mayImport: platform.union(["CPostgreSQL", "Database", "NIOConcurrencyHelpers"])
        ),
        Floor(folder: "Shared/Delivery/Core", mayImport: ["Contracts"]),
        Floor(
            folder: "Shared/Delivery",
            mayImport: libraries.union([
                // Domain, for the partition key and the backoff.
                "Contracts", "Crypto", "Database", "Domain", "SystemPackage", "ZeroMQ",
            ]),
            without: ["Shared/Delivery/Core"]
        ),
        Floor(
            folder: "Shared/AppStore",
            mayImport: libraries.union([
                "Contracts", "Crypto", "Domain", "HTTPClient", "JWTKit", "SwiftASN1", "X509",
            ])
        ),
        Floor(
            folder: "Shared/Program",
            mayImport: libraries.union([
                "ArgumentParser", "Contracts", "Crypto", "Database", "Delivery", "Domain", "PostgreSQL",
                "ServiceLifecycle", "SystemPackage", "UnixSignals", "ZeroMQ",
            ])
        ),
        Floor(folder: "Services/**/Core", mayImport: ["Contracts", "Domain"]),
        service("Orders"),
        service("Receipts", also: ["AppStore", "Crypto", "NIOConcurrencyHelpers"]),
        service("Entitlements"),
        service("Notifications", also: ["Crypto", "HTTPClient"]),
        Floor(
            folder: "Services/Gateway",
            mayImport: libraries.union([
                "ArgumentParser", "COpenAPI", "Contracts", "Crypto", "Delivery", "Domain", "HTTPServing",
                "HTTPTypes", "Hummingbird", "HummingbirdCore", "JWTKit", "NIOCore", "NIOHTTP1", "NIOPosix",
                "Program",
                "ServiceLifecycle", "ZeroMQ",
            ])
        ),
        Floor(
            folder: "Services/Control",
            mayImport: libraries.union([
                "AppStore", "ArgumentParser", "Contracts", "Crypto", "Delivery", "Domain",
                "HTTPClient", "Program", "SystemPackage", "ZeroMQ",
            ])
        ),
    ]

    static let statefulServices = ["Orders", "Receipts", "Entitlements", "Notifications"]

    /// A service with a store: its core, what all services share, and never another service.
    static func service(_ name: String, also extra: Set<String> = []) -> Floor {
        let shared: Set<String> = [
            "Contracts", "Database", "Delivery", "Domain", "FoundationEssentials", "Program",
        ]
        return Floor(
            folder: "Services/\(name)",
            mayImport: shared.union(["ArgumentParser"]).union(extra),
            without: ["Services/\(name)/**/Core"]
        )
    }

    @Test(arguments: floors)
    func `A folder imports only what stands below it`(floor: Floor) throws {
        let files = try House.sources([floor.folder]).filter { !$0.isIn(floor.without) }
        #expect(!files.isEmpty, "the floor names a folder that is empty")
        for file in files {
            for module in file.imports {
                #expect(floor.mayImport.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test(arguments: statefulServices.map { "Services/\($0)" } + ["Shared/Delivery"])
    func `A core names no type of the shell around it`(module: String) throws {
        let core = try House.sources(["\(module)/**/Core"])
        let shell = try House.sources([module]).filter { !$0.isIn(["\(module)/**/Core"]) }
        let types = shell.flatMap { file in
            file.code.matches(of: /(?m)^(?:\w+ )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/).map(
                \.1
            )
        }
        #expect(!core.isEmpty && !types.isEmpty)
        for file in core {
            let words = Set(file.code.matches(of: /\w+/).map(\.0))
            #expect(words.isDisjoint(with: types), "\(file.path) names \(words.intersection(types))")
        }
    }

    @Test func `Every source of services and shared modules stands on some floor`() throws {
        for file in try House.sources(House.product) {
            let floors = Self.floors.filter { file.isIn([$0.folder]) && !file.isIn($0.without) }
            #expect(floors.count == 1, "\(file.path) stands on \(floors.map(\.folder))")
        }
    }
}
