// Generate writes the Go code of the protocol. Run it with go generate; its output is never committed.
//
// It does not need protoc: it compiles the .proto files itself, and protoc-gen-go is a tool of this module.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	module  = "github.com/ballcourt/ballcourt-go"
	goPath  = "github.com/ballcourt/ballcourt-go/ballcourtv1"
	sources = "ballcourt/v1"
)

// roots are the folders to search for .proto files: one in a copy of the SDK, then one in the repository.
var roots = []string{"proto", "../../../proto"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	root, names, err := find()
	if err != nil {
		return err
	}
	request, err := compile(root, names)
	if err != nil {
		return err
	}
	response, err := generate(request)
	if err != nil {
		return err
	}
	return write(response)
}

// find returns the root of the import paths, and the import paths of the .proto files.
func find() (string, []string, error) {
	for _, root := range roots {
		found, err := filepath.Glob(filepath.Join(root, sources, "*.proto"))
		if err != nil {
			return "", nil, err
		}
		if len(found) > 0 {
			for i, path := range found {
				found[i] = sources + "/" + filepath.Base(path)
			}
			return root, found, nil
		}
	}
	return "", nil, fmt.Errorf("there are no .proto files in %s; copy the folder proto of Ballcourt there", strings.Join(roots, " or "))
}

func compile(root string, names []string) (*pluginpb.CodeGeneratorRequest, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{root}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	parameter := []string{"module=" + module}
	files := map[string]*descriptorpb.FileDescriptorProto{}
	for _, file := range compiled {
		files[file.Path()] = protoutil.ProtoFromFileDescriptor(file)
		parameter = append(parameter, fmt.Sprintf("M%s=%s", file.Path(), goPath))
	}
	request := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String(strings.Join(parameter, ",")),
	}
	add(request, names, files, map[string]bool{})
	return request, nil
}

// add appends files to the request, each after the files it imports, as plugins require.
func add(request *pluginpb.CodeGeneratorRequest, names []string, files map[string]*descriptorpb.FileDescriptorProto, done map[string]bool) {
	for _, name := range names {
		if !done[name] {
			done[name] = true
			add(request, files[name].GetDependency(), files, done)
			request.ProtoFile = append(request.ProtoFile, files[name])
		}
	}
}

func generate(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	data, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	plugin := exec.Command("go", "tool", "protoc-gen-go")
	plugin.Stdin, plugin.Stderr = bytes.NewReader(data), os.Stderr
	output, err := plugin.Output()
	if err != nil {
		return nil, fmt.Errorf("protoc-gen-go: %w", err)
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(output, response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("protoc-gen-go: %s", response.GetError())
	}
	return response, nil
}

func write(response *pluginpb.CodeGeneratorResponse) error {
	for _, file := range response.File {
		if err := os.MkdirAll(filepath.Dir(file.GetName()), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file.GetName(), []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
