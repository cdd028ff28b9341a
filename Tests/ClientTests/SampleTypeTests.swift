import Foundation
import TestTraits
import Testing

/// What the comments of the JavaScript sample state, against a stub of what it uses of Node.js.
@Suite(.ownThread) struct `The sample in JavaScript` {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    private static let hasTypeScript = path.split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/tsc") }

    @Test(.enabled(if: hasTypeScript, "there is no tsc here"))
    func `has the types that it states, and a wrong one is found`() throws {
        try Shell.withFolder { folder in
            let root = Shell.root.path(percentEncoded: false)
            let check = """
                tsc --noEmit --allowJs --checkJs --strict --lib es2022,dom --target es2022 --module es2022 \\
                    --moduleResolution node '\(root)/Tests/ClientTests/Stubs/node.d.ts' client.mjs
                """
            try Shell.run("cp '\(root)/deploy/examples/clients/node/client.mjs' .\n" + check, in: folder)
            let change = "sed -i 's/this.submitIfDue(id)/this.submitIfDue(1)/' client.mjs\n"
            #expect(throws: Shell.Failed.self) { try Shell.run(change + check, in: folder) }
        }
    }
}
