// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioLockedBox = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// Simulated groups spend their time in these modules: optimized in debug builds, too, they run twice as fast.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// What waits for a store or for Apple: optimized for size it compiles in five sixths of the time.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What a purchase passes in every service is specialized there.
///
/// Such a module takes twice as long to compile. Programs gain nothing by it.
let specialized: [SwiftSetting] =
    optimized + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

/// The command line, which waits for services, and the App Store simulator: the optimizer takes a minute for each.
let quicklyBuilt: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// What lies in Shared and is no part of the client.
let otherThanClient = [
    "README.md", "AppStore", "CCurl", "CPostgreSQL", "CSQLite", "CZeroMQ", "Contracts",
    "Database", "Delivery", "Domain", "HTTPClient", "HTTPServing", "PostgreSQL", "Program", "ZeroMQ",
    "Client/README.md", "Client/PrivacyInfo.xcprivacy",
]

/// A service with a store, and its tests.
func statefulService(
    _ name: String,
    also extra: [Target.Dependency] = [],
    tests: [Target.Dependency] = []
) -> [Target] {
    [
        .executableTarget(
            name: name,
            dependencies: [
                "Contracts", "Database", "Delivery", "Domain", "Program",
                argumentParser,
            ] + extra,
            path: "Services/\(name)",
            swiftSettings: optimized + small
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [
                .byName(name: name), "Contracts", "Database", "Delivery",
                "Domain", "Program", "TestKit",
            ] + extra + tests,
            path: "Tests/\(name)Tests"
        ),
    ]
}

let package = Package(
    name: "counterfoil",
    products: [
        .library(name: "CounterfoilClient", targets: ["CounterfoilClient"]),
        .executable(name: "counterfoil-orders", targets: ["Orders"]),
        .executable(name: "counterfoil-receipts", targets: ["Receipts"]),
        .executable(name: "counterfoil-entitlements", targets: ["Entitlements"]),
        .executable(name: "counterfoil-notifications", targets: ["Notifications"]),
        .executable(name: "counterfoil-gateway", targets: ["Gateway"]),
        .executable(name: "counterfoil", targets: ["Control"]),
        .executable(name: "counterfoil-appstore", targets: ["AppStoreSimulator"]),
        .executable(name: "counterfoil-load", targets: ["LoadGenerator"]),
        .executable(name: "counterfoil-bench", targets: ["Benchmarks"]),
        .executable(name: "counterfoil-fuzz", targets: ["Fuzzing"]),
        .executable(name: "counterfoil-conform", targets: ["Conformance"]),
        .executable(name: "counterfoil-kit-phone", targets: ["KitPhone"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // Without its traits it needs no more of Foundation than its essentials, as everything else here.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // The app's side. Apps add what `deploy/client-package` writes, where both folders are one module, too.
        .target(
            name: "CounterfoilClient",
            path: "Shared",
            exclude: otherThanClient,
            sources: ["Client", "ClientStoreKit"]
        ),
        .target(name: "Contracts", path: "Shared/Contracts", swiftSettings: specialized),
        .target(
            name: "Domain",
            dependencies: ["Contracts", crypto],
            path: "Shared/Domain",
            swiftSettings: specialized
        ),
        .systemLibrary(name: "CZeroMQ", path: "Shared/CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        .target(
            name: "ZeroMQ",
            dependencies: ["CZeroMQ", nioLockedBox],
            path: "Shared/ZeroMQ",
            swiftSettings: specialized
        ),
        .systemLibrary(name: "CCurl", path: "Shared/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "HTTPClient",
            dependencies: ["CCurl", "ZeroMQ", nioLockedBox],
            path: "Shared/HTTPClient",
            swiftSettings: small
        ),
        .systemLibrary(name: "CSQLite", path: "Shared/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "Database",
            dependencies: ["CSQLite"],
            path: "Shared/Database",
            swiftSettings: specialized
        ),
        // Without pkg-config, which only serves to find the header: the module's own header knows both places.
        .systemLibrary(name: "CPostgreSQL", path: "Shared/CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgreSQL",
            dependencies: ["CPostgreSQL", "Database", nioLockedBox],
            path: "Shared/PostgreSQL",
            swiftSettings: small
        ),
        .target(
            name: "Delivery",
            dependencies: [
                "Contracts", "Database", "Domain", "ZeroMQ", crypto, logging, nioLockedBox, systemPackage,
            ],
            path: "Shared/Delivery",
            exclude: ["README.md"],
            swiftSettings: specialized
        ),
        .target(
            name: "AppStore",
            dependencies: [
                "Contracts", "Domain", "HTTPClient", crypto, jwtKit, nioLockedBox, swiftASN1, x509,
            ],
            path: "Shared/AppStore",
            swiftSettings: small
        ),
        .target(
            name: "Program",
            dependencies: [
                "Contracts", "Database", "Delivery", "Domain", "PostgreSQL", "ZeroMQ", argumentParser, crypto,
                logging, nioLockedBox, serviceLifecycle, systemPackage, unixSignals,
            ],
            path: "Shared/Program",
            swiftSettings: small,
            // Every program's allocator: a tenth of a purchase's time is allocation. Sanitizers have their own.
            linkerSettings: [.linkedLibrary("mimalloc", .when(configuration: .release))]
        ),
        .target(
            name: "HTTPServing",
            dependencies: [hummingbirdCore, logging, nioCore, nioLockedBox],
            path: "Shared/HTTPServing",
            swiftSettings: small
        ),
        .target(name: "COpenAPI", path: "Services/Gateway/OpenAPI"),
        .executableTarget(
            name: "Gateway",
            dependencies: [
                "COpenAPI", "Contracts", "Delivery", "Domain", "HTTPServing", "Program", "ZeroMQ",
                argumentParser, crypto,
                httpTypes, hummingbird, hummingbirdCore, jwtKit, logging, nioCore, nioHTTP1, nioLockedBox,
                nioPosix, serviceLifecycle,
            ],
            path: "Services/Gateway",
            exclude: ["OpenAPI", "README.md", "openapi.yaml", "operations.yaml"]
        ),
        .executableTarget(
            name: "Control",
            dependencies: [
                "AppStore", "Contracts", "Delivery", "Domain", "HTTPClient", "Program", "ZeroMQ",
                argumentParser, crypto, logging, nioLockedBox, systemPackage,
            ],
            path: "Services/Control",
            swiftSettings: quicklyBuilt
        ),
        .target(
            name: "AppStoreSigning",
            dependencies: ["Contracts", crypto, cryptoExtras, swiftASN1, x509],
            path: "Tests/AppStoreSimulator/Signing",
            swiftSettings: quicklyBuilt
        ),
        .executableTarget(
            name: "AppStoreSimulator",
            dependencies: [
                "AppStore", "AppStoreSigning", "Contracts", "HTTPClient", "HTTPServing", "Program",
                argumentParser, crypto,
                httpTypes, hummingbird, jwtKit, logging, nioCore, nioHTTP1,
                serviceLifecycle,
            ],
            path: "Tests/AppStoreSimulator",
            exclude: ["Signing"],
            swiftSettings: quicklyBuilt
        ),
        .target(
            name: "TestKit",
            dependencies: [
                "AppStoreSigning", "Contracts", "Database", "Delivery", "Domain", "Program", "ZeroMQ",
                httpTypes, hummingbird, logging, nioCore, nioEmbedded, nioHTTP1, nioLockedBox, nioPosix,
            ],
            path: "Tests/TestKit"
        ),
        // What tests are, and no program: it imports the library for tests.
        .target(name: "TestTraits", path: "Tests/TestTraits"),
        .target(name: "LoadVerdict", path: "Tests/LoadGenerator/Verdict"),
        .executableTarget(
            name: "LoadGenerator",
            dependencies: [
                "AppStoreSigning", "Contracts", "HTTPServing", "LoadVerdict", "Program", "TestKit",
                argumentParser,
                httpTypes, hummingbird, logging, nioCore, nioHTTP1, nioLockedBox,
            ],
            path: "Tests/LoadGenerator",
            exclude: ["Verdict"]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "AppStore", "AppStoreSigning", "Contracts", "Database", "Delivery", "Domain",
                "LoadVerdict", "Program", "TestKit", "ZeroMQ", argumentParser, crypto, nioHTTP1, nioLockedBox,
            ],
            path: "Tests/Benchmarks"
        ),
        .executableTarget(
            name: "Fuzzing",
            dependencies: ["AppStore", "AppStoreSigning", "Contracts", argumentParser],
            path: "Tests/Fuzzing"
        ),
        .executableTarget(
            name: "Conformance",
            dependencies: [
                "Contracts", "Program", argumentParser, nioCore, nioHTTP1, nioLockedBox, nioPosix,
            ],
            path: "Tests/Conformance",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "KitPhone",
            dependencies: ["CounterfoilClient", nioLockedBox],
            path: "Tests/KitPhone"
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: ["CounterfoilClient", "TestTraits"],
            path: "Tests/ClientTests",
            exclude: ["Stubs"]
        ),
        .testTarget(
            name: "ContractsTests",
            dependencies: ["Contracts", "Domain"],
            path: "Tests/ContractsTests",
            resources: [.copy("Golden")]
        ),
        .testTarget(name: "DomainTests", dependencies: ["Contracts", "Domain"], path: "Tests/DomainTests"),
        .testTarget(
            name: "ZeroMQTests",
            dependencies: ["TestTraits", "ZeroMQ", nioLockedBox],
            path: "Tests/ZeroMQTests"
        ),
        .testTarget(
            name: "DatabaseTests",
            dependencies: ["Database", "TestKit"],
            path: "Tests/DatabaseTests"
        ),
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: ["Database", "PostgreSQL", "TestKit"],
            path: "Tests/PostgreSQLTests"
        ),
        .testTarget(
            name: "DeliveryTests",
            dependencies: [
                "Contracts", "Database", "Delivery", "Domain", "TestKit", "ZeroMQ",
                logging,
            ],
            path: "Tests/DeliveryTests"
        ),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "AppStore", "AppStoreSigning", "Contracts", "Domain", "TestKit",
                crypto, nioLockedBox, swiftASN1, x509,
            ],
            path: "Tests/AppStoreTests"
        ),
        .testTarget(
            name: "AppStoreSimulatorTests",
            dependencies: [
                "AppStoreSimulator", "AppStore", "AppStoreSigning", "Contracts", "HTTPServing", "TestKit",
                crypto,
                httpTypes, hummingbird, nioCore, nioHTTP1, nioLockedBox, serviceLifecycle,
            ],
            path: "Tests/AppStoreSimulatorTests"
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "Contracts", "Delivery", "Domain", "HTTPServing", "Program", "TestKit", httpTypes,
                hummingbird, hummingbirdCore, jwtKit, logging, nioCore, nioEmbedded, nioHTTP1, nioLockedBox,
                nioPosix, serviceLifecycle, yams,
            ],
            path: "Tests/GatewayTests"
        ),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Control", "AppStoreSigning", "Contracts", "Database", "Delivery", "Domain", "HTTPClient",
                "PostgreSQL", "Program", "TestKit", "TestTraits", "ZeroMQ", argumentParser, logging,
                nioLockedBox,
            ],
            path: "Tests/ControlTests"
        ),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "AppStore", "AppStoreSigning", "Contracts", "Database", "Delivery", "Domain",
                "Entitlements", "HTTPServing", "Notifications", "Orders", "Program", "Receipts",
                "TestKit", "ZeroMQ", httpTypes, hummingbird, nioCore, nioLockedBox,
            ],
            path: "Tests/SystemTests"
        ),
        .testTarget(
            name: "LoadGeneratorTests",
            dependencies: [
                "AppStoreSigning", "Contracts", "HTTPServing", "LoadGenerator", "LoadVerdict", "TestKit",
                argumentParser,
                httpTypes, hummingbird, logging, nioCore, nioLockedBox,
            ],
            path: "Tests/LoadGeneratorTests"
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Conformance", "TestKit", argumentParser],
            path: "Tests/ConformanceTests"
        ),
        .testTarget(name: "TidyTests", path: "Tests/TidyTests"),
    ]
        + statefulService("Orders")
        + statefulService(
            "Receipts",
            also: ["AppStore", crypto, nioLockedBox],
            tests: ["AppStoreSigning"]
        )
        + statefulService("Entitlements")
        + statefulService(
            "Notifications",
            also: ["HTTPClient", crypto]
        ),
    swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]
/// A trial and a server need no tests, and nothing that measures: `deploy/run` and `deploy/install` build without them.
if Context.environment["COUNTERFOIL_PROGRAMS_ONLY"] == "1" {
    let tools: Set = [
        "Benchmarks", "Conformance", "CounterfoilClient", "Fuzzing", "KitPhone", "LoadGenerator",
        "LoadVerdict", "TestKit", "TestTraits",
    ]
    package.targets.removeAll { $0.type == .test || tools.contains($0.name) }
    let products: Set = [
        "CounterfoilClient", "counterfoil-bench", "counterfoil-conform", "counterfoil-fuzz",
        "counterfoil-kit-phone",
        "counterfoil-load",
    ]
    package.products.removeAll { products.contains($0.name) }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
