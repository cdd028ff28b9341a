import Foundation
import TestTraits
import Testing

/// The package that apps add, as somebody adds it who has never seen this repository.
@Suite(.ownThread) struct `The package for apps` {
    private static let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
            name: "game",
            dependencies: [.package(url: "CLIENT", from: "1.0.0")],
            targets: ["game", "page"].map { name in
                .executableTarget(
                    name: name,
                    dependencies: [
                        .product(name: "CounterfoilClient", package: "CounterfoilClient"),
                        .product(name: "CounterfoilClientTesting", package: "CounterfoilClient"),
                    ]
                )
            }
        )
        """

    /// The program of the kit's page, and what the page says that it prints.
    private static func page() throws -> (program: Substring, output: Substring) {
        let file = Shell.root.appending(path: "Shared/Client/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(text.firstRange(of: "main.swift <<'TEXT'\n")).upperBound
        let program = try #require(text[begin...].firstRange(of: "\nTEXT\n"))
        // The fence that ends the commands, and then the block of what they print.
        let fences = text[program.upperBound...].ranges(of: "\n```\n")
        try #require(fences.count > 2)
        return (
            text[begin..<program.lowerBound] + "\n", text[fences[1].upperBound..<fences[2].lowerBound] + "\n"
        )
    }

    @Test func `It is made, tagged and added, and plays a purchase that is killed and resumed`() throws {
        try Shell.withFolder { folder in
            let root = Shell.root.path(percentEncoded: false)
            try Shell.run("'\(root)/deploy/client-package' CounterfoilClient", in: folder)
            let client = folder.appending(path: "CounterfoilClient")
            let git = "git -c user.name=test -c user.email=test@example.com"
            try Shell.run(
                "git init -q . && git add . && \(git) commit -qm 'The client' && git tag 1.0.0",
                in: client
            )
            let game = folder.appending(path: "game")
            let sources = game.appending(path: "Sources/game"), other = game.appending(path: "Sources/page")
            for place in [sources, other] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let page = try Self.page()
            try Data(page.program.utf8).write(to: other.appending(path: "main.swift"))
            let address = "file://" + client.path(percentEncoded: false)
            try Data(Self.manifest.replacing("CLIENT", with: address).utf8)
                .write(to: game.appending(path: "Package.swift"))
            try FileManager.default.copyItem(
                at: Shell.root.appending(path: "Tests/ClientTests/Stubs/Game.swift"),
                to: sources.appending(path: "Game.swift")
            )
            try Shell.run("swift build -q 2>&1", in: game)
            let first = try Shell.run(".build/debug/game proofs || [ $? -eq 9 ]", in: game)
            #expect(first == "paid\nkept and sent\n")
            let second = try Shell.run(".build/debug/game proofs", in: game)
            #expect(second == "sent again for ada\nfinished 1\n")
            // Killed by a signal: 128 and its number.
            let killed = ".build/debug/page buy || [ $? -eq 137 ]"
            let played = try Shell.run("{ \(killed); } 2>/dev/null; .build/debug/page", in: game)
            #expect(played == page.output)
        }
    }

    @Test func `It has no dependency and no unsafe flag`() throws {
        try Shell.withFolder { folder in
            let root = Shell.root.path(percentEncoded: false)
            try Shell.run("'\(root)/deploy/client-package' client", in: folder)
            let manifest = try String(
                contentsOf: folder.appending(path: "client/Package.swift"),
                encoding: .utf8
            )
            #expect(manifest.hasPrefix("// swift-tools-version: 6.0\n") && manifest.contains(".iOS(.v15)"))
            #expect(!manifest.contains("unsafeFlags") && !manifest.contains(".package("))
            #expect(throws: Shell.Failed.self) {
                try Shell.run("'\(root)/deploy/client-package' client", in: folder)
            }
            #expect(throws: Shell.Failed.self) {
                try Shell.run("'\(root)/deploy/client-package' --update missing", in: folder)
            }
            let old = "client/Sources/CounterfoilClient/Old.swift"
            try Shell.run("touch client/CHANGES '\(old)'", in: folder)
            try Shell.run("'\(root)/deploy/client-package' --update client", in: folder)
            try Shell.run("test -e client/CHANGES && test ! -e '\(old)'", in: folder)
            try Shell.run("test -s client/.gitignore", in: folder)
        }
    }

    @Test func `The kit stays small`() throws {
        let lines = try ["Client", "ClientStoreKit"].flatMap { folder in
            let place = Shell.root.appending(path: "Shared/\(folder)")
            return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "swift" }
                .map {
                    try String(contentsOf: $0, encoding: .utf8).split(
                        separator: "\n",
                        omittingEmptySubsequences: false
                    ).count - 1
                }
        }
        #expect(lines.reduce(0, +) <= 2_000)
    }
}
