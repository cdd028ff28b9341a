import Testing

/// Constructs that the compiler takes and the house does not.
@Suite struct `Banned constructs` {
    struct Ban: Sendable, CustomStringConvertible {
        let what: String
        /// Finds it in code; comments and literals are blanked out.
        let pattern: String
        var folders = House.product + ["Tests"]
        /// Files and folders where it may stand, each with the reason.
        var allowed: [String: String] = [:]

        var description: String { what }
    }

    static let decisions = ["Services/**/Core", "Shared/Delivery/Core"]
    static let coresAndShells =
        decisions + ["Shared/Contracts"]
        + ["Handlers", "Workflows", "Store"].map { "Services/**/\($0)" }

    /// A build on Linux takes it all, and only a phone would refuse.
    static let laterThanIOS15 = [
        #"\b(Mutex|Atomic|Duration|ContinuousClock|SuspendingClock|InlineArray|UInt128|Regex)\b"#,
        #"\bwith(Throwing)?DiscardingTaskGroup\b"#,
        #"@Observable\b|\bimport (Synchronization|Observation)\b"#,
        #"\.appending\((path|component|queryItems)\b|\bURL\(filePath\b|\.path\(percentEncoded\b"#,
        #"\.sleep\((for|until)\b|\.(milliseconds|seconds)\("#,
        #"\.(replacing|firstMatch|wholeMatch|prefixMatch|matches|ranges|firstRange|trimmingPrefix)\("#,
        #"\bconfirmIn\b|\bisolated deinit\b"#,
    ]

    static let bans: [Ban] = [
        Ban(what: "an error thrown away by try?", pattern: #"\btry\?"#),
        Ban(what: "a crash by try!", pattern: #"\btry!"#),
        Ban(what: "a crash by as!", pattern: #"\bas!"#),
        Ban(what: "a crash by fatalError", pattern: #"\bfatalError\b"#),
        Ban(
            what: "a crash by preconditionFailure",
            pattern: #"\bpreconditionFailure\b"#,
            folders: House.product,
            allowed: [
                "Shared/Delivery/**/WireCoder.swift": "a header of ours always has a JSON form",
                "Shared/Delivery/**/MessageDecoder.swift": "a constant key that is always valid",
                "Shared/HTTPClient": "libcurl without memory, or without what it was given",
                "Shared/ZeroMQ/Thread.swift": "a process without its threads does nothing",
            ]
        ),
        Ban(
            what: "a task that nobody waits for",
            pattern: #"\bTask\s*[{(<]|\bTask\.(detached|immediate)"#,
            folders: House.product,
            allowed: [
                "Shared/Client/GatewayBackend.swift": "an app's login that never answers cannot be ended",
                "Shared/Client/PurchaseClient.swift": "an app's purchases go on when its windows are closed",
            ]
        ),
        Ban(
            what: "a queue or thread of Dispatch",
            pattern: #"\bDispatchQueue\b"#,
            folders: House.product,
            allowed: [
                "Shared/ClientStoreKit/NetworkReachability.swift": "Apple's monitor tells nobody without one"
            ]
        ),
        Ban(
            what: "what iOS 15 does not have",
            pattern: laterThanIOS15.joined(separator: "|"),
            folders: ["Shared/Client", "Shared/ClientStoreKit"]
        ),
        Ban(
            what: "a mutex in which ThreadSanitizer sees false races",
            pattern: #"\bMutex\s*[<(]"#
        ),
        Ban(what: "a hash that differs in every process", pattern: #"\.hashValue\b"#),
        Ban(
            what: "a line on standard output",
            pattern: #"\bprint\("#,
            folders: House.product,
            allowed: [
                "Services/Control": "the operator's command answers on standard output",
                "Services/Gateway/Gateway.swift": "says where it listens, as port 0 needs",
                "Shared/Program/Launch.swift": "prints --help",
            ]
        ),
        Ban(
            what: "time, chance or a new id that was not passed in",
            pattern: #"\bDate(\.now\b|\(\))|\bUUID\(\)|\.random\(|\bSystemRandomNumberGenerator\b|Clock\(\)"#,
            folders: coresAndShells
        ),
        Ban(
            what: "a wall clock where it is decided who owns a partition",
            pattern: #"\bCLOCK_REALTIME\b|\bDate\(|\.now\b"#,
            folders: [
                "Shared/Database/CommitLog", "Shared/Delivery/Core", "Shared/Delivery/Logs",
                "Shared/PostgreSQL", "Shared/Program/CommitLogs",
            ],
            allowed: [
                "Shared/PostgreSQL/Deadline.swift": "its name for the monotonic clock",
                "Shared/PostgreSQL/NameLookup.swift": "Dispatch's name for the monotonic clock",
            ]
        ),
        Ban(
            what: "waiting in a core or a shell",
            pattern: #"\b(await|async)\b"#,
            folders: coresAndShells
        ),
        Ban(
            what: "a method of a handler's context, whose call names no file",
            pattern: #"\bextension\s+(Delivery\.)?HandlerContext\b"#
        ),
        Ban(what: "a catch-all in a decision", pattern: #"(?m)^\s*default:"#, folders: decisions),
        Ban(
            what: "a sleep in a test",
            pattern: #"\b(Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep)\("#,
            folders: ["Tests"],
            allowed: [
                "Tests/AppStoreSimulator": "a program: it retries and delays by the clock",
                "Tests/LoadGenerator": "a program: it paces its load by the clock",
                "Tests/Benchmarks": "a program: it measures over time",
                "Tests/TestKit/Eventually.swift":
                    "the one pause between two looks at other processes",
                "Tests/SystemTests/Harness/LooseGroup.swift":
                    "looks after processes, as `counterfoil up` does",
            ]
        ),
    ]

    @Test(arguments: bans)
    func `Nobody writes`(ban: Ban) throws {
        let pattern = try Regex(ban.pattern)
        var used: Set<String> = []
        for file in try House.sources(ban.folders) {
            for (number, line) in file.codeLines.enumerated() where line.contains(pattern) {
                let place = ban.allowed.keys.first { file.isIn([$0]) }
                if let place { used.insert(place) }
                #expect(place != nil, "\(ban.what) in \(file.path):\(number + 1)")
            }
        }
        let unused = Set(ban.allowed.keys).subtracting(used)
        #expect(unused.isEmpty, "allowed for nothing: strike it off the list")
    }

    @Test(arguments: [
        "let lock = Mutex(0)", "let pause: Duration", "ContinuousClock().now",
        "@Observable final class Model {}",
        "folder.appending(path: name)", "try await Task.sleep(for: pause)", "import Synchronization",
    ])
    func `What iOS 15 does not have is found`(line: String) throws {
        let pattern = try Regex(Self.laterThanIOS15.joined(separator: "|"))
        let isFound = line.contains(pattern)
        #expect(isFound)
    }

    @Test(arguments: [
        "let durations: [Int64]", "Task.sleep(nanoseconds: 1)", "folder.appendingPathComponent(name)",
    ])
    func `What iOS 15 has is taken`(line: String) throws {
        let pattern = try Regex(Self.laterThanIOS15.joined(separator: "|"))
        let isFound = line.contains(pattern)
        #expect(!isFound)
    }

    @Test func `Whatever escapes the check of concurrency gives its reason on its line`() throws {
        for file in try House.sources() {
            for (number, (line, code)) in zip(file.lines, file.codeLines).enumerated()
            where code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)") {
                let above = number > 0 ? file.lines[number - 1].trimmingPrefix(/\s*/) : ""
                let isExplained = line.contains(/\/\/ \S+ \S+/) || above.hasPrefix("//")
                #expect(isExplained, "\(file.path):\(number + 1) says no reason")
            }
        }
    }

    private static func texts() throws -> [(path: String, text: String)] {
        try House.texts(and: ["Package.swift", "README.md", ".swift-format", ".gitignore"])
    }

    @Test func `Nothing is left to be done later`() throws {
        // Written in halves, so that this file passes its own rule.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK:"]
        for (path, text) in try Self.texts() {
            for mark in marks where text.contains(mark) { Issue.record("\(mark) in \(path)") }
        }
    }

    @Test func `No file names a place of somebody's machine`() throws {
        let places = ["home/[a-z]", "Users/[A-Za-z]", "wo" + "rk/", "ro" + "ot/[a-z.]", "opt/swift"]
        let pattern = try Regex("(^|[^A-Za-z0-9_.\\-/:}])/(" + places.joined(separator: "|") + ")")
        for (path, text) in try Self.texts() {
            for line in text.split(separator: "\n") where line.contains(pattern) {
                Issue.record("\(path): \(line.trimmingPrefix(/\s*/))")
            }
        }
    }

    /// A clone alone has to pass: what lies beside it is read by `.ci/run` alone, which names it in a variable.
    @Test func `No test or script looks for what lies beside the repository`() throws {
        let beside = ["shared" + "/vectors", #"\.\.\/"# + "shared"]
        let pattern = try Regex(beside.joined(separator: "|"))
        let folders = ["Tests", "deploy"]
        for (path, text) in try House.texts(in: folders, and: ["Package.swift"]) {
            for line in text.split(separator: "\n") where line.contains(pattern) {
                Issue.record("\(path): \(line.trimmingPrefix(/\s*/))")
            }
            for way in Self.waysOut(of: text, at: path) { Issue.record("\(path): \(way)") }
        }
    }

    /// The path of a link that is made in another tree.
    private static let links = ["deploy/install": "../lib/counterfoil/"]

    /// Paths of `text` that leave the repository: they go up more often than the file `path` lies deep.
    ///
    /// A script begins at the top of the repository, so that it is not deep at all.
    static func waysOut(of text: String, at path: String) -> [Substring] {
        let name = path.split(separator: "/").last ?? ""
        let depth = name.contains(".") ? path.split(separator: "/").count - 1 : 0
        let text = links[path].map { text.replacing($0, with: "") } ?? text
        let relative = text.matches(of: #/(?:^|[^\/.\w])((?:\.\.\/)+)/#.anchorsMatchLineEndings()).map(\.1)
            .filter { $0.utf8.count / 3 > depth }
        // The file's own name is the first component that is taken off.
        let ups = text.matches(of: #/(?:\s*\.deletingLastPathComponent\(\))+/#).map(\.0)
            .filter { $0.split(separator: "(").count - 1 > depth + 1 }
        return relative + ups
    }

    @Test func `A way out of the repository is found where it is one`() {
        let up = ".deletingLast" + "PathComponent()"
        let file = "Tests/SomeTests/SomeTests.swift"
        #expect(Self.waysOut(of: "file" + up + up + "\n    " + up, at: file).isEmpty)
        #expect(Self.waysOut(of: "file" + up + up + "\n    " + up + up, at: file).count == 1)
        #expect(Self.waysOut(of: "\"../" + "../Shared\"", at: file).isEmpty)
        #expect(Self.waysOut(of: "\"../" + "../" + "../data\"", at: file).count == 1)
        #expect(Self.waysOut(of: "[link](../" + "Shared/README.md)", at: "deploy/README.md").isEmpty)
        #expect(Self.waysOut(of: "ls /usr/../" + "lib", at: "deploy/run").isEmpty)
        #expect(Self.waysOut(of: "ls ../" + "elsewhere", at: "deploy/run").count == 1)
    }
}
